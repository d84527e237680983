"""The parts of `drive.py`: each drives the program from outside, and measures a reference without it."""

from .commands import Commands
from .edit import Edit
from .flood import Flood
from .idle import Idle
from .late import Late
from .load import Load
from .webhooks import Webhooks

ALL = {
    "load": Load, "flood": Flood, "late": Late, "commands": Commands, "webhooks": Webhooks, "edit": Edit, "idle": Idle,
}
