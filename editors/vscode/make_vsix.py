#!/usr/bin/env python3
"""Packs this folder as an extension that VS Code installs from a file.

usage: editors/vscode/make_vsix.py [-o tilesim.vsix] [-q]

Then: code --install-extension tilesim.vsix. Needs Python alone; the same folder gives the same bytes.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def manifest(package):
    """The description that VS Code and the marketplace read, made from package.json."""
    categories = ",".join(package["categories"])
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} \
Publisher={quoteattr(package["publisher"])}/>
<DisplayName>{escape(package["displayName"])}</DisplayName>
<Description xml:space="preserve">{escape(package["description"])}</Description>
<Categories>{escape(categories)}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])}/>
</Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def contents():
    """Path in the archive -> bytes."""
    package = (HERE / "package.json").read_bytes()
    return {
        "[Content_Types].xml": CONTENT_TYPES.encode(),
        "extension.vsixmanifest": manifest(json.loads(package)).encode(),
        "extension/package.json": package,
        "extension/README.md": (ROOT / "docs" / "editor.md").read_bytes(),
        "extension/LICENSE.txt": (ROOT / "LICENSE").read_bytes(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("tilesim.vsix"))
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing of success")
    arguments = parser.parse_args()
    output = arguments.output
    try:
        with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in contents().items():
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    except OSError as e:
        print(f"error: cannot write {output}: {e.strerror}", file=sys.stderr)
        return 69
    if not arguments.quiet:
        print(f"{output}: install it with: code --install-extension {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
