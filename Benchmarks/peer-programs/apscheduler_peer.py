"""APScheduler, to be measured beside tminus.

usage: apscheduler_peer.py entries COUNT            arms that many jobs, prints "armed" and waits
       apscheduler_peer.py late PER-SECOND SECONDS  prints median and 99th percentile of lateness in microseconds
"""

import asyncio
import datetime
import logging
import sys
import time

from apscheduler.schedulers.asyncio import AsyncIOScheduler

late = []


async def fire(due):
    late.append(time.time() - due)


async def main(words):
    logging.disable(logging.CRITICAL)
    scheduler = AsyncIOScheduler(timezone=datetime.UTC)
    if words[0] == "entries":
        for number in range(int(words[1])):
            at = datetime.datetime(2099, 1, 1, number // 60 % 24, number % 60, tzinfo=datetime.UTC)
            scheduler.add_job(fire, "date", run_date=at, args=[0])
        scheduler.start()
        print("armed", flush=True)
        await asyncio.Event().wait()
    rate, seconds = int(words[1]), int(words[2])
    # Enough time to take them all.
    start = time.time() + 3
    for number in range(rate * seconds):
        due = start + number / rate
        at = datetime.datetime.fromtimestamp(due, datetime.UTC)
        scheduler.add_job(fire, "date", run_date=at, args=[at.timestamp()], misfire_grace_time=None)
    scheduler.start()
    while len(late) < rate * seconds:
        await asyncio.sleep(0.1)
    late.sort()
    print(f"{late[len(late) // 2] * 1e6:.1f} {late[len(late) * 99 // 100] * 1e6:.1f}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
