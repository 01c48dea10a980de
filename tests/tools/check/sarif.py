"""What SARIF 2.1.0 (OASIS standard, sections 3.13 and following) asks of the objects that tilesim writes.

Each object lists the properties that its section names, with their type; "!" marks those that have to be
there. A property that is not listed is an error, as it is in the published schema (additionalProperties is
false there). Types: "string", "integer>=N", "boolean", "a|b" for one of these words, "uri", "bag" (any object),
another object's name, [type] for an array, {type} for an object of any keys.
"""
# SPDX-License-Identifier: Apache-2.0
import re

LEVEL = "none|note|warning|error"
OBJECTS = {
    "sarifLog": {"$schema": "uri", "version!": "2.1.0", "runs!": ["run"]},
    "run": {"tool!": "tool", "invocations": ["invocation"], "originalUriBaseIds": {"artifactLocation"},
            "results": ["result"], "properties": "bag"},
    "tool": {"driver!": "toolComponent", "properties": "bag"},
    "toolComponent": {"name!": "string", "version": "string", "semanticVersion": "string",
                      "informationUri": "uri", "rules": ["reportingDescriptor"], "properties": "bag"},
    "reportingDescriptor": {"id!": "string", "name": "string",
                            "shortDescription": "multiformatMessageString",
                            "fullDescription": "multiformatMessageString",
                            "defaultConfiguration": "reportingConfiguration", "helpUri": "uri",
                            "help": "multiformatMessageString", "properties": "bag"},
    "multiformatMessageString": {"text!": "string", "markdown": "string"},
    "reportingConfiguration": {"enabled": "boolean", "level": LEVEL},
    "invocation": {"commandLine": "string", "executionSuccessful!": "boolean", "exitCode": "integer>=0",
                   "exitCodeDescription": "string", "toolExecutionNotifications": ["notification"],
                   "properties": "bag"},
    "notification": {"message!": "message", "level": LEVEL, "locations": ["location"]},
    "message": {"text!": "string", "markdown": "string"},
    "artifactLocation": {"uri": "uri", "uriBaseId": "string", "index": "integer>=-1"},
    "location": {"id": "integer>=-1", "physicalLocation": "physicalLocation",
                 "logicalLocations": ["logicalLocation"], "message": "message"},
    "physicalLocation": {"artifactLocation!": "artifactLocation", "region": "region"},
    "region": {"startLine": "integer>=1", "startColumn": "integer>=1", "endLine": "integer>=1",
               "endColumn": "integer>=1"},
    "logicalLocation": {"name": "string", "fullyQualifiedName": "string", "kind": "string"},
    "result": {"ruleId": "string", "ruleIndex": "integer>=-1", "level": LEVEL, "message!": "message",
               "locations": ["location"], "relatedLocations": ["location"], "occurrenceCount": "integer>=1",
               "stacks": ["stack"], "codeFlows": ["codeFlow"],
               "partialFingerprints": {"string"}, "suppressions": ["suppression"], "properties": "bag"},
    "stack": {"message": "message", "frames!": ["stackFrame"]},
    "stackFrame": {"location": "location", "module": "string"},
    "codeFlow": {"message": "message", "threadFlows!": ["threadFlow"]},
    "threadFlow": {"id": "string", "message": "message", "locations!": ["threadFlowLocation"]},
    "threadFlowLocation": {"location": "location", "nestingLevel": "integer>=0",
                           "importance": "important|essential|unimportant"},
    "suppression": {"kind!": "inSource|external", "status": "accepted|underReview|rejected",
                    "justification": "string"},
}
# RFC 3986, a reference: no blanks, no characters that have to be encoded.
URI = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-F]{2})+")


def errors(value, kind="sarifLog", at="$"):
    """Every departure from the standard, as "place: what"."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{at}: no array"]
        return [e for i, v in enumerate(value) for e in errors(v, kind[0], f"{at}[{i}]")]
    if isinstance(kind, set):
        if not isinstance(value, dict):
            return [f"{at}: no object"]
        return [e for k, v in value.items() for e in errors(v, next(iter(kind)), f"{at}.{k}")]
    if kind in OBJECTS:
        return object_errors(value, kind, at)
    return scalar_errors(value, kind, at)


def object_errors(value, kind, at):
    if not isinstance(value, dict):
        return [f"{at}: no object"]
    fields = {name.rstrip("!"): t for name, t in OBJECTS[kind].items()}
    found = [f"{at}: a {kind} has no '{name}'" for name in value if name not in fields]
    found += [f"{at}: a {kind} needs '{name[:-1]}'" for name in OBJECTS[kind]
              if name.endswith("!") and name[:-1] not in value]
    return found + [e for name, v in value.items() if name in fields
                    for e in errors(v, fields[name], f"{at}.{name}")]


def scalar_errors(value, kind, at):
    if kind.startswith("integer>="):
        good = type(value) is int and value >= int(kind[9:])
    elif kind == "boolean":
        good = type(value) is bool
    elif kind == "bag":
        good = isinstance(value, dict)
    elif kind == "string":
        good = isinstance(value, str)
    elif kind == "uri":
        good = isinstance(value, str) and URI.fullmatch(value) is not None
    else:
        good = value in kind.split("|")
    return [] if good else [f"{at}: {value!r} is no {kind}"]
