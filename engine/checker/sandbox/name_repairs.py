"""Names that the file of a search forgot to import, although one other file of the project defines them.

The error is the program's own and is reported. With the name of the other file the search goes on, and the rest is checked.
"""

from functools import partial
from typing import TYPE_CHECKING

from engine.checker.discovery.expressions import binds_name
from engine.checker.sandbox.own_errors import find_last_line, prove_own_error
from engine.checker.sandbox.worker_protocol import RepairedName

if TYPE_CHECKING:
    from engine.checker.sandbox.check_session import CheckSession

MAX_REPAIRED_NAMES = 8
MAX_LOADING_SECONDS = 4.0


class NameRepairs:
    """Binds missing names in the module of the search, one for each error."""

    def __init__(self, session: "CheckSession"):
        self.session = session

    def repair(self, error: BaseException | None) -> bool:
        """Bind the name that an error says is missing. Return False if that is not possible."""
        session, name = self.session, getattr(error, "name", None)
        if not isinstance(error, NameError) or name is None or len(session.repaired) >= MAX_REPAIRED_NAMES:
            return False
        proof = prove_own_error(session, error)
        line = find_last_line(error, session.path)
        holders = [
            module
            for module in session.project.modules.values()
            if module is not session.search.module and binds_name(module, name)
        ]
        if not proof or not line or len(holders) != 1 or session.program is None:
            return False
        load = partial(session.synthesizer.names.load, holders[0])
        if session.run_limited(load, MAX_LOADING_SECONDS) is not None or session.left_behind:
            return False
        loaded = session.synthesizer.names.load(holders[0])
        if loaded is None or name not in vars(loaded):
            return False
        vars(session.program.module)[name] = vars(loaded)[name]
        sentence = f"the program raised NameError: name '{name}' is not defined (line {line})"
        session.repaired.append(RepairedName(name, sentence, line, proof, holders[0].path.name))
        session.program.notes.append(
            f"line {line} uses {name} of {holders[0].path.name} without importing it: the import was added"
        )
        return True
