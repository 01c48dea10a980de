"""Arrays of the host's as those of a device, for the time of a launch.

SPDX-License-Identifier: Apache-2.0
"""


from . import _torch


class DeviceArray:
    """What a launch is given for an array: its memory, said to be a device's."""

    __slots__ = ("__cuda_array_interface__", "of")

    def __init__(self, array, interface):
        self.of = array  # lives as long as the launch
        self.__cuda_array_interface__ = {
            "shape": interface["shape"],
            "typestr": interface["typestr"],
            "data": interface["data"],
            "strides": interface.get("strides"),
            "version": 3,
        }


def byte_range(interface):
    """Where an array's elements lie: the first byte, and how many there are to the last one's end."""
    size = int(interface["typestr"].lstrip("<>|=")[1:])
    shape = interface["shape"]
    if 0 in shape:
        return interface["data"][0], 0
    strides = interface.get("strides")
    if strides is None:
        count = 1
        for extent in shape:
            count *= extent
        return interface["data"][0], count * size
    begin = interface["data"][0]
    end = begin + size
    for extent, stride in zip(shape, strides):
        if stride < 0:
            begin += (extent - 1) * stride
        else:
            end += (extent - 1) * stride
    return begin, end - begin


def host_interface(value):
    """The array interface of an array in the host's memory; None: it is none."""
    if isinstance(value, (bool, int, float, str, tuple, list)) or value is None:
        return None
    if hasattr(value, "__cuda_array_interface__"):
        return value.__cuda_array_interface__
    interface = getattr(value, "__array_interface__", None)
    return interface if isinstance(interface, dict) and "data" in interface else None


def lend(value, ranges):
    """The value as a launch takes it; the memory of its arrays goes to `ranges`."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(lend(item, ranges) for item in value)
    if isinstance(value, list):
        return [lend(item, ranges) for item in value]
    if _torch.is_tensor(value):
        ranges.append(_torch.memory_of(value))
        return value  # it says itself whose memory it has
    interface = host_interface(value)
    if interface is None or interface.get("data") is None:
        return value
    if interface["shape"] == () and type(value).__name__ != "ndarray":
        return value  # a scalar of NumPy's
    ranges.append(byte_range(interface))
    return DeviceArray(value, interface)


def joined(ranges):
    """The same bytes, as ranges that do not overlap."""
    result = []
    for begin, size in sorted(r for r in ranges if r[1] > 0):
        if result and begin <= result[-1][0] + result[-1][1]:
            result[-1][1] = max(result[-1][1], begin + size - result[-1][0])
        else:
            result.append([begin, size])
    return result
