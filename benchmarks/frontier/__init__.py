"""The frontier: every recipe, rival and peer on the same tables, by the same yardstick, utility against risk.

`tables` and `contenders` say what is compared, `yardstick` what is measured, `running` does it and keeps what is
finished, `summary` draws the conclusions, `charts` and `page` show them. `make frontier` runs it all.
"""
