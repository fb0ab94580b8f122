#!/usr/bin/env python3
"""Makes an SQLite database of rows in the form of `nsys export -t jsonlines`.

usage: database_of.py ROWS DATABASE [PAGE-SIZE]
A table has the columns of all its rows; rows keep their order. A value {"hex":TEXT} is a blob. The column id is the
primary key of StringIds and of the tables rocpd_*.
"""
import json, os, sqlite3, sys

def value(v):
    return bytes.fromhex(v['hex']) if isinstance(v, dict) else v

def main(rows, database, page_size='4096'):
    tables = {}
    with open(rows) as f:
        for line in f:
            row = json.loads(line)
            tables.setdefault(row.pop('table'), []).append(row)
    if os.path.exists(database):
        os.unlink(database)
    db = sqlite3.connect(database)
    db.execute(f'PRAGMA page_size={int(page_size)}')
    for table, rows in tables.items():
        columns = list(dict.fromkeys(c for row in rows for c in row))
        has_key = table == 'StringIds' or table.startswith('rocpd_')
        declared = ['"id" INTEGER PRIMARY KEY' if has_key and c == 'id' else f'"{c}"' for c in columns]
        if table.endswith('_CALLCHAINS'):
            declared.append('PRIMARY KEY (id, stackDepth)')
        db.execute(f'CREATE TABLE "{table}" ({", ".join(declared)})')
        for row in rows:
            places = ', '.join('?' * len(columns))
            db.execute(f'INSERT INTO "{table}" VALUES ({places})', [value(row.get(c)) for c in columns])
    db.commit()
    db.close()

main(*sys.argv[1:])
