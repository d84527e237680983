#!/usr/bin/env python3
"""A tminus plug-in that keeps every delivery in an SQLite database. Python 3, standard library only.

    sinks:
      log:
        plugin: ./sqlite-log.py
        config: { database: ../var/deliveries.sqlite }

A delivery may arrive twice, with the same id. It stays one row, with the number of the last attempt. If the database
is locked or the disk is full, the plug-in asks for a retry. If the file is not a database, it gives the delivery up.
"""

import json
import os
import sqlite3
import sys

TABLE = """
    CREATE TABLE IF NOT EXISTS delivery(
        id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, due TEXT NOT NULL, name TEXT NOT NULL,
        message TEXT NOT NULL, late REAL NOT NULL, attempt INTEGER NOT NULL, payload TEXT NOT NULL)"""
ROW = """
    INSERT INTO delivery VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET attempt = excluded.attempt"""


def say(answer):
    # Flush: tminus does not see a line that waits in a buffer.
    print(json.dumps(answer), flush=True)


def store(database, event):
    data = event["data"]
    row = (event["id"], event["type"], event["subject"], data["due"], data["name"], data["message"], data["late"],
           data["attempt"], json.dumps(event, ensure_ascii=False))
    connection = sqlite3.connect(database, timeout=5)
    try:
        with connection:
            connection.execute(TABLE)
            connection.execute(ROW, row)
    finally:
        connection.close()


def answer(database, event):
    try:
        store(database, event)
    except sqlite3.OperationalError as error:
        # Locked, full or not accessible: a retry may succeed.
        return {"id": event["id"], "outcome": "retry", "after": 5, "reason": str(error)}
    except sqlite3.Error as error:
        return {"id": event["id"], "outcome": "dead", "reason": str(error)}
    return {"id": event["id"], "outcome": "delivered"}


def main():
    hello = json.loads(sys.stdin.readline())
    if hello.get("hello") != 1:
        sys.exit("this plug-in speaks version 1 of the protocol")
    database = hello.get("config", {}).get("database")
    if not database:
        sys.exit("write config: { database: path }")
    os.makedirs(os.path.dirname(os.path.abspath(database)), exist_ok=True)
    say({"ready": 1, "name": "sqlite-log", "max-concurrent": 1})
    # The input ends when tminus stops or the sink is edited.
    for line in sys.stdin:
        say(answer(database, json.loads(line)["deliver"]))


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    main()
