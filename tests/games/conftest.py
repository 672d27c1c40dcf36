"""Makes the helpers of this folder importable: tests are imported without putting their folders on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
