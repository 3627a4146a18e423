CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE events (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	seq INTEGER NOT NULL, 
	person TEXT, 
	topic TEXT NOT NULL, 
	payload JSON NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (seq)
);
CREATE TABLE leases (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	name TEXT NOT NULL, 
	host TEXT NOT NULL, 
	pid INTEGER NOT NULL, 
	started TEXT NOT NULL, 
	fence INTEGER NOT NULL, 
	until VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (tenant, name)
);
CREATE INDEX ix_events_tenant_seq ON events (tenant, seq);
INSERT INTO alembic_version VALUES ('0001');
INSERT INTO events VALUES ('local', 1, 'person 1', 'topic 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO events VALUES ('local', 2, 'person 2', 'topic 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 1', 'host 1', 1, 'started 1', 1, '2026-03-03T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 2', 'host 2', 2, 'started 2', 2, '2026-03-04T12:30:00.000005Z');
