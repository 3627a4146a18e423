"""The database: engine, migrations, transactions, the event stream, leases, documents."""
