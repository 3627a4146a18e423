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
CREATE TABLE api_call_log (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT NOT NULL, 
	session_id TEXT, 
	call_type TEXT NOT NULL, 
	model TEXT NOT NULL, 
	input_hash TEXT NOT NULL, 
	latency_ms INTEGER NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	cost_estimate DOUBLE, 
	created_at VARCHAR(27) NOT NULL, 
	provider TEXT NOT NULL, 
	cache_write_tokens INTEGER NOT NULL, 
	cache_read_tokens INTEGER NOT NULL, 
	request_id TEXT NOT NULL, 
	stop_reason TEXT, 
	error TEXT, 
	billed_usd DOUBLE, 
	CONSTRAINT pk_api_call_log PRIMARY KEY (id)
);
CREATE INDEX ix_events_tenant_seq ON events (tenant, seq);
CREATE INDEX ix_api_call_log_tenant_created_at ON api_call_log (tenant, created_at);
CREATE INDEX ix_api_call_log_tenant_session_id ON api_call_log (tenant, session_id);
INSERT INTO alembic_version VALUES ('0002');
INSERT INTO events VALUES ('local', 1, 'person 1', 'topic 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO events VALUES ('local', 2, 'person 2', 'topic 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 1', 'host 1', 1, 'started 1', 1, '2026-03-03T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 2', 'host 2', 2, 'started 2', 2, '2026-03-04T12:30:00.000005Z');
INSERT INTO api_call_log VALUES ('local', 'id 1', 'person 1', 'session_id 1', 'call_type 1', 'model 1', 'input_hash 1', 1, 1, 1, 1.5, '2026-03-03T12:30:00.000005Z', 'provider 1', 1, 1, 'request_id 1', 'stop_reason 1', 'error 1', 1.5);
INSERT INTO api_call_log VALUES ('local', 'id 2', 'person 2', 'session_id 2', 'call_type 2', 'model 2', 'input_hash 2', 2, 2, 2, 2.5, '2026-03-04T12:30:00.000005Z', 'provider 2', 2, 2, 'request_id 2', 'stop_reason 2', 'error 2', 2.5);
