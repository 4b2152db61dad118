"""The stand-in for tkinter: variables keep values, fields get something typed, dialogs are answered. The rest is a stub."""

import sys
from typing import Any

from engine.checker.sandbox.import_stubs import HELD_OPTIONS, AbsorbingStub, StubModule, list_used_names
from engine.checker.sandbox.user_choices import CHOICES


class TkVariable(AbsorbingStub):
    """A variable of a form. Choices that widgets offer for it are taken if they name the search or a computer."""

    default: Any = ""

    def __init__(self, master: Any = None, value: Any = None, name: Any = None, **options: Any):
        self.__dict__.update(value=self.default if value is None else value, rank=CHOICES.rank("" if value is None else value))

    def get(self) -> Any:
        return self.__dict__["value"]

    def set(self, value: Any) -> None:
        self.__dict__["value"] = value

    def offer(self, value: Any, text: Any = None) -> None:
        """Choose a value if it is better than what was chosen."""
        rank = min(CHOICES.rank(value), CHOICES.rank(text))
        if value is not None and rank < self.__dict__["rank"]:
            self.__dict__.update(value=value, rank=rank)


class TkStringVar(TkVariable):
    default = ""


class TkIntVar(TkVariable):
    default = 0


class TkDoubleVar(TkVariable):
    default = 0.0


class TkBooleanVar(TkVariable):
    default = False


class TkField(AbsorbingStub):
    """A field that something is typed into, another number each time it is read."""

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        self.__dict__.update(text="", low=options.get("from_"), high=options.get("to"))

    def get(self, *place: Any) -> str:
        held = self.__dict__.get(HELD_OPTIONS, {})
        variable, values = held.get("textvariable"), held.get("values")
        if isinstance(values, (list, tuple)) and values:
            return str(min(values, key=CHOICES.rank))
        if isinstance(variable, TkVariable) and variable.get() not in ("", 0):
            return str(variable.get())
        return str(self.__dict__["text"] or CHOICES.type_number(self.__dict__["low"], self.__dict__["high"]))

    def insert(self, place: Any, text: Any = "", *more: Any) -> None:
        self.__dict__["text"] += str(text)

    def delete(self, *places: Any) -> None:
        self.__dict__["text"] = ""

    def set(self, text: Any) -> None:
        self.__dict__["text"] = str(text)


class TkScale(AbsorbingStub):
    """A slider. It stands at its smallest number unless it is set."""

    def get(self) -> Any:
        held = self.__dict__.get(HELD_OPTIONS, {})
        variable = held.get("variable")
        if isinstance(variable, TkVariable) and variable.get():
            return variable.get()
        return held.get("value", held.get("from_", 0))


class TkChoice(AbsorbingStub):
    """A radio button or a check box."""

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        if isinstance(variable := options.get("variable"), TkVariable):
            variable.offer(options.get("value"), options.get("text"))


class TkOptionMenu(AbsorbingStub):
    """A list of choices for a variable: OptionMenu(master, variable, first, second, …)."""

    def __init__(self, master: Any = None, variable: Any = None, *values: Any, **options: Any):
        super().__init__(**options)
        if isinstance(variable, TkVariable):
            for value in values:
                variable.offer(value)


class TkDialogs(StubModule):
    """The modules tkinter.messagebox and tkinter.simpledialog: every question is answered."""

    def __getattr__(self, name: str) -> Any:
        return _answer_dialog(name) if name.startswith("ask") else super().__getattr__(name)


def _answer_dialog(name: str) -> Any:
    def answer(title: Any = "", message: Any = "", *arguments: Any, **options: Any) -> Any:
        if name in ("askstring", "askinteger", "askfloat"):
            typed = CHOICES.type_number(options.get("minvalue"), options.get("maxvalue"))
            return typed if name == "askstring" else int(typed) if name == "askinteger" else float(typed)
        return "yes" if name == "askquestion" else "" if "file" in name or "dir" in name else True

    return answer


FIELDS = {"Entry": TkField, "Spinbox": TkField, "Combobox": TkField, "Text": TkField, "Scale": TkScale,
          "OptionMenu": TkOptionMenu,
          "Radiobutton": TkChoice, "Checkbutton": TkChoice, "StringVar": TkStringVar, "IntVar": TkIntVar,
          "DoubleVar": TkDoubleVar, "BooleanVar": TkBooleanVar, "Variable": TkVariable}  # fmt: skip
FIELDS |= {f"CTk{name}": kind for name, kind in FIELDS.items()} | {"CTkSlider": TkScale, "CTkComboBox": TkField}


class TkinterModule(StubModule):
    """The parts of tkinter that a program gets answers from. Everything else is a stub."""

    def __getattr__(self, name: str) -> Any:
        if name in FIELDS:
            return FIELDS[name]
        if name in ("messagebox", "simpledialog", "filedialog"):
            return TkDialogs(f"{self.__name__}.{name}")
        return super().__getattr__(name) if name != "__all__" else list_used_names(sys._getframe(1))


TKINTER_MODULES: dict[str, type[StubModule]] = {
    **dict.fromkeys(("tkinter", "Tkinter", "tkinter.ttk", "ttk", "customtkinter"), TkinterModule),
    **dict.fromkeys(("tkinter.messagebox", "tkinter.simpledialog", "tkinter.filedialog", "tkMessageBox"), TkDialogs),
}
