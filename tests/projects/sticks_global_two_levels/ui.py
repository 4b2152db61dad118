import sticks


def human_turn():
    while True:
        row, count = int(input("row: ")), int(input("count: "))
        if (row, count) in sticks.options():
            sticks.take(row, count)
            return


while sticks.options():
    print(sticks.rows)
    print("computer takes", sticks.computer_turn())
    if sticks.options():
        human_turn()
