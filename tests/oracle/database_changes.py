#!/usr/bin/env python3
"""Makes changed copies of an nsys database.

usage: database_changes.py tables|wal DATABASE
tables: KERNEL.sqlite, NVTX.sqlite and so on: in each, a view, a virtual table of an unknown module or a table without
pages replaces the table.
wal: databases with -wal files: whole.sqlite; middle, salt, header, last: a bit of this part of the file is changed;
older: with frames from before a checkpoint.
"""
import os, shutil, sqlite3, sys

mode, original = sys.argv[1:]

def copy(to):
    for suffix in ('', '-wal'):
        shutil.copy('w.sqlite' + suffix, to + '.sqlite' + suffix)

def change(name, at):
    with open(name + '.sqlite-wal', 'r+b') as f:
        f.seek(at if at >= 0 else os.path.getsize(f.name) + at)
        byte = f.read(1)[0]
        f.seek(-1, 1)
        f.write(bytes([byte ^ 1]))

def tables():
    for name, how in (('KERNEL', 'view'), ('MEMCPY', 'virtual'), ('RUNTIME', 'root'), ('MEMSET', 'view'),
                      (None, 'virtual')):
        table = 'CUPTI_ACTIVITY_KIND_' + name if name else 'NVTX_EVENTS'
        path = (name or 'NVTX') + '.sqlite'
        shutil.copy(original, path)
        db = sqlite3.connect(path)
        db.execute('create view other as select 1')
        db.execute(f'alter table {table} rename to kept')
        if how == 'view':
            db.execute(f'create view {table} as select * from kept')
        db.execute('pragma writable_schema=on')
        if how == 'virtual':
            db.execute("insert into sqlite_master values ('table', ?, ?, 0, ?)", (table, table,
                       f'create virtual table {table} using unknown_module(x)'))
        elif how == 'root':
            db.execute("insert into sqlite_master values ('table', ?, ?, 0, ?)", (table, table,
                       f'create table {table} (start, "end")'))
        db.commit()


def wal():
    shutil.copy(original, 'w.sqlite')
    db = sqlite3.connect('w.sqlite', isolation_level=None)
    db.execute('pragma journal_mode=wal')
    db.execute('pragma wal_autocheckpoint=0')
    insert = "insert into NVTX_EVENTS (start, end, eventType, text, globalTid) values (9, 10, 59, 'new', 1)"
    for _ in range(3):
        db.execute(insert)
    frame = 24 + 4096
    for name, at in (('whole', None), ('middle', 32 + frame + 24 + 4000), ('salt', 32 + 8), ('header', 9),
                     ('last', -90)):
        copy(name)
        if at is not None:
            change(name, at)
    db.execute('pragma wal_checkpoint')
    db.execute(insert)
    copy('older')


tables() if mode == "tables" else wal()
