"""Read the settings of S3 as other programs do: the environment first, then the files of AWS."""

import os
from collections.abc import Mapping
from configparser import ConfigParser, Error
from pathlib import Path

# Names in the environment, in the files, and in the library. The environment wins.
_KEYS = (
    (("AWS_ACCESS_KEY_ID",), "aws_access_key_id", "access_key_id"),
    (("AWS_SECRET_ACCESS_KEY",), "aws_secret_access_key", "secret_access_key"),
    (("AWS_SESSION_TOKEN",), "aws_session_token", "session_token"),
    (("AWS_REGION", "AWS_DEFAULT_REGION"), "region", "region"),
    (("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"), "endpoint_url", "endpoint"),
)
_SECRETS = {"access_key_id", "secret_access_key", "session_token"}


def read_aws_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what environment and files say; without keys, the library asks for those of the machine."""
    files = _read_profile(environment)
    settings: dict[str, str] = {}
    own_keys = bool(environment.get("AWS_ACCESS_KEY_ID"))
    for names, file_key, key in _KEYS:
        value = next((environment[name] for name in names if environment.get(name)), "")
        # A token of the file does not belong to keys of the environment.
        if not value and not (own_keys and key in _SECRETS):
            value = files.get(file_key, "")
        if value:
            settings[key] = value
    return settings


def _read_profile(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the chosen profile; credentials win over configuration."""
    home = Path(environment.get("HOME", "/nonexistent")) / ".aws"
    name = environment.get("AWS_PROFILE") or "default"
    found: dict[str, str] = {}
    for variable, file, section in (
        ("AWS_CONFIG_FILE", "config", name if name == "default" else f"profile {name}"),
        ("AWS_SHARED_CREDENTIALS_FILE", "credentials", name),
    ):
        parser = ConfigParser(interpolation=None, default_section="")
        try:
            parser.read(environment.get(variable) or home / file, "utf-8")
        except (Error, UnicodeError):
            continue
        if parser.has_section(section):
            found |= dict(parser.items(section))
    return found
