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
	person TEXT DEFAULT 'me' NOT NULL, 
	session_id TEXT, 
	call_type TEXT NOT NULL, 
	model TEXT NOT NULL, 
	input_hash TEXT NOT NULL, 
	latency_ms INTEGER NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	cost_estimate DOUBLE, 
	created_at VARCHAR(27) NOT NULL, 
	provider TEXT DEFAULT '' NOT NULL, 
	cache_write_tokens INTEGER DEFAULT '0' NOT NULL, 
	cache_read_tokens INTEGER DEFAULT '0' NOT NULL, 
	request_id TEXT DEFAULT '' NOT NULL, 
	stop_reason TEXT, 
	error TEXT, 
	billed_usd DOUBLE, 
	CONSTRAINT pk_api_call_log PRIMARY KEY (id)
);
CREATE TABLE sessions (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	door TEXT DEFAULT 'coach' NOT NULL, 
	status TEXT NOT NULL, 
	title TEXT, 
	plugin TEXT, 
	command TEXT, 
	agent TEXT, 
	class_id TEXT, 
	tasks JSON DEFAULT '[]' NOT NULL, 
	decisions JSON DEFAULT '[]' NOT NULL, 
	messages_text TEXT DEFAULT '' NOT NULL, 
	project_dir TEXT, 
	issue_number INTEGER, 
	issue_title TEXT, 
	forked_from TEXT, 
	started_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z') NOT NULL, 
	ended_at VARCHAR(27), 
	CONSTRAINT pk_sessions PRIMARY KEY (id)
);
CREATE TABLE runs (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT NOT NULL, 
	session_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	format INTEGER NOT NULL, 
	header JSON NOT NULL, 
	prompt TEXT NOT NULL, 
	state TEXT NOT NULL, 
	status TEXT, 
	reason TEXT, 
	output TEXT, 
	turns INTEGER NOT NULL, 
	cost_usd DOUBLE, 
	source TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id)
);
CREATE TABLE journal (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	run_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	step TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_journal PRIMARY KEY (run_id, seq)
);
CREATE TABLE gates (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	run_id TEXT NOT NULL, 
	gate TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	interaction JSON NOT NULL, 
	reply JSON, 
	opened_at VARCHAR(27) NOT NULL, 
	answered_at VARCHAR(27), 
	CONSTRAINT pk_gates PRIMARY KEY (run_id, gate)
);
CREATE TABLE spans (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	trace TEXT NOT NULL, 
	step TEXT NOT NULL, 
	parent TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	failed BOOLEAN NOT NULL, 
	started_us INTEGER NOT NULL, 
	ended_us INTEGER NOT NULL, 
	attributes TEXT NOT NULL, 
	CONSTRAINT pk_spans PRIMARY KEY (trace, step)
);
CREATE TABLE blobs (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_blobs PRIMARY KEY (tenant, hash)
);
CREATE VIRTUAL TABLE sessions_fts USING fts5(title, messages_text, content='sessions', tokenize="unicode61 remove_diacritics 2");
CREATE TABLE memory_files (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	teacher_id TEXT NOT NULL, 
	scope TEXT NOT NULL, 
	class_id TEXT NOT NULL, 
	path TEXT NOT NULL, 
	content TEXT NOT NULL, 
	version TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	written_by TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_memory_files PRIMARY KEY (id), 
	CONSTRAINT ck_memory_files_scope CHECK (scope IN ('teacher', 'class')), 
	CONSTRAINT uq_memory_files_tenant_teacher_id_scope_class_id_path UNIQUE (tenant, teacher_id, scope, class_id, path)
);
CREATE TABLE memory_events (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	trace_id TEXT, 
	session_id TEXT, 
	teacher_id TEXT NOT NULL, 
	memory_file_id TEXT, 
	event_type TEXT NOT NULL, 
	proposed_text TEXT, 
	final_text TEXT, 
	scope TEXT NOT NULL, 
	class_id TEXT NOT NULL, 
	path TEXT NOT NULL, 
	version TEXT, 
	seq INTEGER, 
	created_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_memory_events PRIMARY KEY (id), 
	CONSTRAINT ck_memory_events_event_type CHECK (event_type IN ('read', 'write', 'capture_proposed', 'capture_confirmed', 'capture_edited', 'capture_dismissed'))
);
CREATE TABLE memory_cursors (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	projection TEXT NOT NULL, 
	log TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	CONSTRAINT pk_memory_cursors PRIMARY KEY (tenant, projection)
);
CREATE TABLE dreyfus_assessments (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	skill_area TEXT NOT NULL, 
	stage TEXT NOT NULL, 
	confidence DOUBLE NOT NULL, 
	evidence TEXT NOT NULL, 
	assessed_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_dreyfus_assessments PRIMARY KEY (id), 
	CONSTRAINT ck_dreyfus_assessments_stage CHECK (stage IN ('novice', 'advanced_beginner', 'competent', 'proficient', 'expert')), 
	CONSTRAINT uq_dreyfus_assessments_tenant_person_skill_area UNIQUE (tenant, person, skill_area)
);
CREATE TABLE knowledge_gaps (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	session_id TEXT, 
	topic TEXT NOT NULL, 
	severity TEXT NOT NULL, 
	evidence TEXT NOT NULL, 
	related_concepts JSON DEFAULT '[]' NOT NULL, 
	frequency INTEGER DEFAULT '1' NOT NULL, 
	last_encountered_at VARCHAR(27) NOT NULL, 
	addressed BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_knowledge_gaps PRIMARY KEY (id), 
	CONSTRAINT ck_knowledge_gaps_severity CHECK (severity IN ('low', 'medium', 'high')), 
	CONSTRAINT fk_knowledge_gaps_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE SET NULL
);
CREATE TABLE kata_specs (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	knowledge_gap_id TEXT NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT NOT NULL, 
	scaffolding_code TEXT NOT NULL, 
	instructor_notes TEXT DEFAULT '' NOT NULL, 
	test_cases JSON DEFAULT '[]' NOT NULL, 
	constraints JSON DEFAULT '[]' NOT NULL, 
	user_attempts JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_kata_specs PRIMARY KEY (id), 
	CONSTRAINT fk_kata_specs_knowledge_gap_id FOREIGN KEY(knowledge_gap_id) REFERENCES knowledge_gaps (id) ON DELETE CASCADE
);
CREATE TABLE plans (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	session_id TEXT NOT NULL, 
	raw_plan_text TEXT NOT NULL, 
	memory_connection TEXT, 
	estimated_difficulty TEXT, 
	created_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_plans PRIMARY KEY (id), 
	CONSTRAINT fk_plans_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE phases (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	plan_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT NOT NULL, 
	status TEXT NOT NULL, 
	hint_level TEXT NOT NULL, 
	expected_files JSON DEFAULT '[]' NOT NULL, 
	started_at VARCHAR(27), 
	completed_at VARCHAR(27), 
	CONSTRAINT pk_phases PRIMARY KEY (id), 
	CONSTRAINT ck_phases_status CHECK (status IN ('pending', 'active', 'complete')), 
	CONSTRAINT fk_phases_plan_id FOREIGN KEY(plan_id) REFERENCES plans (id) ON DELETE CASCADE, 
	CONSTRAINT uq_phases_plan_id_number UNIQUE (plan_id, number)
);
CREATE TABLE phase_hints (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	phase_id TEXT NOT NULL, 
	type TEXT NOT NULL, 
	path TEXT NOT NULL, 
	start_line INTEGER, 
	end_line INTEGER, 
	style TEXT NOT NULL, 
	hover_text TEXT, 
	CONSTRAINT pk_phase_hints PRIMARY KEY (id), 
	CONSTRAINT ck_phase_hints_type CHECK (type IN ('file', 'line')), 
	CONSTRAINT fk_phase_hints_phase_id FOREIGN KEY(phase_id) REFERENCES phases (id) ON DELETE CASCADE
);
CREATE TABLE progress_events (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	phase_id TEXT NOT NULL, 
	event_type TEXT NOT NULL, 
	data JSON, 
	created_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_progress_events PRIMARY KEY (id), 
	CONSTRAINT fk_progress_events_phase_id FOREIGN KEY(phase_id) REFERENCES phases (id) ON DELETE CASCADE
);
CREATE TABLE action_log (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT DEFAULT 'me' NOT NULL, 
	session_id TEXT, 
	action_type TEXT NOT NULL, 
	data JSON, 
	created_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_action_log PRIMARY KEY (id), 
	CONSTRAINT fk_action_log_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE decisions (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	project TEXT DEFAULT '' NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	type TEXT NOT NULL, 
	agent TEXT DEFAULT '' NOT NULL, 
	feature TEXT DEFAULT '' NOT NULL, 
	task TEXT DEFAULT '' NOT NULL, 
	what_happened TEXT DEFAULT '' NOT NULL, 
	what_was_correct TEXT DEFAULT '' NOT NULL, 
	why TEXT DEFAULT '' NOT NULL, 
	source TEXT NOT NULL, 
	session TEXT DEFAULT '' NOT NULL, 
	cli TEXT DEFAULT '' NOT NULL, 
	event TEXT DEFAULT '' NOT NULL, 
	tool TEXT DEFAULT '' NOT NULL, 
	action TEXT DEFAULT '' NOT NULL, 
	reason TEXT DEFAULT '' NOT NULL, 
	target TEXT DEFAULT '' NOT NULL, 
	shape TEXT DEFAULT '' NOT NULL, 
	rule TEXT DEFAULT '' NOT NULL, 
	confidence DOUBLE NOT NULL, 
	scope TEXT NOT NULL, 
	files JSON NOT NULL, 
	meta JSON NOT NULL, 
	retrieved INTEGER DEFAULT '0' NOT NULL, 
	retrieved_at VARCHAR(27), 
	embedding BLOB, 
	CONSTRAINT pk_decisions PRIMARY KEY (id), 
	CONSTRAINT ck_decisions_type CHECK (type IN ('correction', 'violation', 'decision', 'approval')), 
	CONSTRAINT ck_decisions_source CHECK (source IN ('enforcement_hook', 'user_correction', 'auto_detected')), 
	CONSTRAINT ck_decisions_scope CHECK (scope IN ('project', 'universal'))
);
CREATE TABLE decision_edges (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	source_kind TEXT NOT NULL, 
	source_id TEXT NOT NULL, 
	relation TEXT NOT NULL, 
	target_kind TEXT NOT NULL, 
	target_id TEXT NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_decision_edges PRIMARY KEY (tenant, source_kind, source_id, relation, target_kind, target_id)
);
CREATE TABLE decision_sessions (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	session TEXT NOT NULL, 
	recent JSON NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_decision_sessions PRIMARY KEY (tenant, session)
);
CREATE VIRTUAL TABLE decisions_fts USING fts5(agent, feature, task, what_happened, what_was_correct, why, action, target, rule, content='decisions', tokenize="unicode61 remove_diacritics 2");
CREATE TABLE tenants (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	name TEXT NOT NULL, 
	state TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_tenants PRIMARY KEY (tenant), 
	CONSTRAINT ck_tenants_state CHECK (state IN ('active', 'closed'))
);
CREATE TABLE people (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	email TEXT, 
	roles JSON NOT NULL, 
	password_hash TEXT, 
	oidc_issuer TEXT, 
	oidc_subject TEXT, 
	state TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (tenant, id), 
	CONSTRAINT ck_people_state CHECK (state IN ('active', 'disabled'))
);
CREATE TABLE sign_ins (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	person TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	label TEXT NOT NULL, 
	csrf TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	expires_at VARCHAR(27) NOT NULL, 
	last_used_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_sign_ins PRIMARY KEY (id), 
	CONSTRAINT ck_sign_ins_kind CHECK (kind IN ('browser', 'token'))
);
CREATE TABLE sign_in_tries (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	failures INTEGER NOT NULL, 
	last_at VARCHAR(27) NOT NULL, 
	until VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_sign_in_tries PRIMARY KEY (tenant, id)
);
CREATE TABLE oidc_starts (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	id TEXT NOT NULL, 
	nonce TEXT NOT NULL, 
	verifier TEXT NOT NULL, 
	back TEXT NOT NULL, 
	expires_at VARCHAR(27) NOT NULL, 
	CONSTRAINT pk_oidc_starts PRIMARY KEY (id)
);
CREATE TABLE audit_log (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	seq INTEGER NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	person TEXT NOT NULL, 
	action TEXT NOT NULL, 
	target TEXT NOT NULL, 
	detail JSON NOT NULL, 
	CONSTRAINT pk_audit_log PRIMARY KEY (tenant, seq)
);
CREATE TABLE spend_limits (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	person TEXT NOT NULL, 
	usd_per_day DOUBLE, 
	usd_per_month DOUBLE, 
	CONSTRAINT pk_spend_limits PRIMARY KEY (tenant, person)
);
CREATE TABLE documents (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	area TEXT NOT NULL, 
	path TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	deleted BOOLEAN NOT NULL, 
	at VARCHAR(27) NOT NULL, 
	person TEXT, 
	written_by TEXT NOT NULL, 
	CONSTRAINT pk_documents PRIMARY KEY (tenant, area, path, number)
);
CREATE TABLE memory_log (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	log TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	written_at VARCHAR(27) NOT NULL, 
	id TEXT NOT NULL, 
	line TEXT NOT NULL, 
	CONSTRAINT pk_memory_log PRIMARY KEY (tenant, log, seq, written_at)
);
CREATE TABLE memory_log_heads (
	tenant TEXT DEFAULT 'local' NOT NULL, 
	log TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_memory_log_heads PRIMARY KEY (tenant, log)
);
CREATE INDEX ix_events_tenant_seq ON events (tenant, seq);
CREATE INDEX ix_api_call_log_tenant_created_at ON api_call_log (tenant, created_at);
CREATE INDEX ix_api_call_log_tenant_session_id ON api_call_log (tenant, session_id);
CREATE INDEX ix_sessions_tenant_updated_at ON sessions (tenant, updated_at);
CREATE INDEX ix_sessions_tenant_class_id ON sessions (tenant, class_id);
CREATE INDEX ix_runs_tenant_session_id_number ON runs (tenant, session_id, number);
CREATE INDEX ix_gates_tenant_answered_at ON gates (tenant, answered_at);
CREATE INDEX ix_memory_files_tenant_teacher_id_class_id ON memory_files (tenant, teacher_id, class_id);
CREATE INDEX ix_memory_events_tenant_trace_id ON memory_events (tenant, trace_id);
CREATE INDEX ix_memory_events_tenant_session_id ON memory_events (tenant, session_id);
CREATE INDEX ix_memory_events_tenant_teacher_id_path_seq ON memory_events (tenant, teacher_id, path, seq);
CREATE INDEX ix_knowledge_gaps_tenant_person ON knowledge_gaps (tenant, person);
CREATE INDEX ix_knowledge_gaps_session_id ON knowledge_gaps (session_id);
CREATE INDEX ix_kata_specs_tenant_person ON kata_specs (tenant, person);
CREATE INDEX ix_kata_specs_knowledge_gap_id ON kata_specs (knowledge_gap_id);
CREATE UNIQUE INDEX uq_sessions_active_coach ON sessions (tenant, person, project_dir) WHERE door = 'coach' AND status = 'active';
CREATE INDEX ix_api_call_log_tenant_person_created_at_cost_estimate ON api_call_log (tenant, person, created_at, cost_estimate);
CREATE INDEX ix_plans_session_id_created_at ON plans (session_id, created_at);
CREATE INDEX ix_phase_hints_phase_id ON phase_hints (phase_id);
CREATE INDEX ix_progress_events_phase_id_created_at ON progress_events (phase_id, created_at);
CREATE INDEX ix_action_log_session_id_created_at ON action_log (session_id, created_at);
CREATE INDEX ix_action_log_session_id_action_type_created_at ON action_log (session_id, action_type, created_at);
CREATE INDEX ix_decisions_tenant_at ON decisions (tenant, at);
CREATE INDEX ix_decisions_tenant_project_at ON decisions (tenant, project, at);
CREATE INDEX ix_decisions_tenant_type_at ON decisions (tenant, type, at);
CREATE INDEX ix_decisions_tenant_agent_at ON decisions (tenant, agent, at);
CREATE INDEX ix_decisions_tenant_feature_at ON decisions (tenant, feature, at);
CREATE INDEX ix_decisions_tenant_rule_at ON decisions (tenant, rule, at);
CREATE INDEX ix_decisions_tenant_session_at ON decisions (tenant, session, at);
CREATE INDEX ix_decisions_tenant_scope_at ON decisions (tenant, scope, at);
CREATE INDEX ix_decision_edges_tenant_target_kind_target_id_at ON decision_edges (tenant, target_kind, target_id, at);
CREATE INDEX ix_sessions_tenant_forked_from ON sessions (tenant, forked_from);
CREATE UNIQUE INDEX ix_people_tenant_email ON people (tenant, email);
CREATE UNIQUE INDEX ix_people_tenant_oidc_issuer_oidc_subject ON people (tenant, oidc_issuer, oidc_subject);
CREATE INDEX ix_sign_ins_tenant_person ON sign_ins (tenant, person);
CREATE INDEX ix_documents_tenant_person ON documents (tenant, person);
CREATE INDEX ix_memory_log_tenant_log_id ON memory_log (tenant, log, id);
CREATE TRIGGER sessions_fts_add AFTER INSERT ON sessions BEGIN INSERT INTO sessions_fts(rowid, title, messages_text) VALUES (new.rowid, new.title, new.messages_text); END;
CREATE TRIGGER sessions_fts_remove AFTER DELETE ON sessions BEGIN INSERT INTO sessions_fts(sessions_fts, rowid, title, messages_text) VALUES ('delete', old.rowid, old.title, old.messages_text); END;
CREATE TRIGGER sessions_fts_change AFTER UPDATE ON sessions BEGIN INSERT INTO sessions_fts(sessions_fts, rowid, title, messages_text) VALUES ('delete', old.rowid, old.title, old.messages_text); INSERT INTO sessions_fts(rowid, title, messages_text) VALUES (new.rowid, new.title, new.messages_text); END;
CREATE TRIGGER decisions_fts_add AFTER INSERT ON decisions BEGIN INSERT INTO decisions_fts(rowid, agent, feature, task, what_happened, what_was_correct, why, action, target, rule) VALUES (new.rowid, new.agent, new.feature, new.task, new.what_happened, new.what_was_correct, new.why, new.action, new.target, new.rule); END;
CREATE TRIGGER decisions_fts_remove AFTER DELETE ON decisions BEGIN INSERT INTO decisions_fts(decisions_fts, rowid, agent, feature, task, what_happened, what_was_correct, why, action, target, rule) VALUES ('delete', old.rowid, old.agent, old.feature, old.task, old.what_happened, old.what_was_correct, old.why, old.action, old.target, old.rule); END;
CREATE TRIGGER decisions_fts_change AFTER UPDATE ON decisions BEGIN INSERT INTO decisions_fts(decisions_fts, rowid, agent, feature, task, what_happened, what_was_correct, why, action, target, rule) VALUES ('delete', old.rowid, old.agent, old.feature, old.task, old.what_happened, old.what_was_correct, old.why, old.action, old.target, old.rule); INSERT INTO decisions_fts(rowid, agent, feature, task, what_happened, what_was_correct, why, action, target, rule) VALUES (new.rowid, new.agent, new.feature, new.task, new.what_happened, new.what_was_correct, new.why, new.action, new.target, new.rule); END;
INSERT INTO alembic_version VALUES ('0012');
INSERT INTO events VALUES ('local', 1, 'person 1', 'topic 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO events VALUES ('local', 2, 'person 2', 'topic 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 1', 'host 1', 1, 'started 1', 1, '2026-03-03T12:30:00.000005Z');
INSERT INTO leases VALUES ('local', 'name 2', 'host 2', 2, 'started 2', 2, '2026-03-04T12:30:00.000005Z');
INSERT INTO api_call_log VALUES ('local', 'id 1', 'person 1', 'session_id 1', 'call_type 1', 'model 1', 'input_hash 1', 1, 1, 1, 1.5, '2026-03-03T12:30:00.000005Z', 'provider 1', 1, 1, 'request_id 1', 'stop_reason 1', 'error 1', 1.5);
INSERT INTO api_call_log VALUES ('local', 'id 2', 'person 2', 'session_id 2', 'call_type 2', 'model 2', 'input_hash 2', 2, 2, 2, 2.5, '2026-03-04T12:30:00.000005Z', 'provider 2', 2, 2, 'request_id 2', 'stop_reason 2', 'error 2', 2.5);
INSERT INTO sessions VALUES ('local', 'id 1', 'person 1', 'door 1', 'status 1', 'title 1', 'plugin 1', 'command 1', 'agent 1', 'class_id 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'messages_text 1', 'project_dir 1', 1, 'issue_title 1', 'forked_from 1', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO sessions VALUES ('local', 'id 2', 'person 2', 'door 2', 'status 2', 'title 2', 'plugin 2', 'command 2', 'agent 2', 'class_id 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'messages_text 2', 'project_dir 2', 2, 'issue_title 2', 'forked_from 2', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO runs VALUES ('local', 'id 1', 'person 1', 'session_id 1', 1, 1, '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'prompt 1', 'state 1', 'status 1', 'reason 1', 'output 1', 1, 1.5, 'source 1', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO runs VALUES ('local', 'id 2', 'person 2', 'session_id 2', 2, 2, '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'prompt 2', 'state 2', 'status 2', 'reason 2', 'output 2', 2, 2.5, 'source 2', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO journal VALUES ('local', 'run_id 1', 1, 'step 1', 'kind 1', 'body 1');
INSERT INTO journal VALUES ('local', 'run_id 2', 2, 'step 2', 'kind 2', 'body 2');
INSERT INTO gates VALUES ('local', 'run_id 1', 'gate 1', 1, 'person 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO gates VALUES ('local', 'run_id 2', 'gate 2', 2, 'person 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO spans VALUES ('local', 'trace 1', 'step 1', 'parent 1', 'kind 1', 'name 1', 1, 1, 1, 'attributes 1');
INSERT INTO spans VALUES ('local', 'trace 2', 'step 2', 'parent 2', 'kind 2', 'name 2', 0, 2, 2, 'attributes 2');
INSERT INTO blobs VALUES ('local', 'hash 1', 'text 1');
INSERT INTO blobs VALUES ('local', 'hash 2', 'text 2');
INSERT INTO memory_files VALUES ('local', 'id 1', 'teacher_id 1', 'class', 'class_id 1', 'path 1', 'content 1', 'version 1', 1, 'written_by 1', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO memory_files VALUES ('local', 'id 2', 'teacher_id 2', 'class', 'class_id 2', 'path 2', 'content 2', 'version 2', 2, 'written_by 2', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO memory_events VALUES ('local', 'id 1', 'trace_id 1', 'session_id 1', 'teacher_id 1', 'memory_file_id 1', 'capture_edited', 'proposed_text 1', 'final_text 1', 'scope 1', 'class_id 1', 'path 1', 'version 1', 1, '2026-03-03T12:30:00.000005Z');
INSERT INTO memory_events VALUES ('local', 'id 2', 'trace_id 2', 'session_id 2', 'teacher_id 2', 'memory_file_id 2', 'capture_edited', 'proposed_text 2', 'final_text 2', 'scope 2', 'class_id 2', 'path 2', 'version 2', 2, '2026-03-04T12:30:00.000005Z');
INSERT INTO memory_cursors VALUES ('local', 'projection 1', 'log 1', 1, 'event_id 1');
INSERT INTO memory_cursors VALUES ('local', 'projection 2', 'log 2', 2, 'event_id 2');
INSERT INTO dreyfus_assessments VALUES ('local', 'id 1', 'person 1', 'skill_area 1', 'competent', 1.5, 'evidence 1', '2026-03-03T12:30:00.000005Z');
INSERT INTO dreyfus_assessments VALUES ('local', 'id 2', 'person 2', 'skill_area 2', 'competent', 2.5, 'evidence 2', '2026-03-04T12:30:00.000005Z');
INSERT INTO knowledge_gaps VALUES ('local', 'id 1', 'person 1', 'id 1', 'topic 1', 'medium', 'evidence 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 1, '2026-03-03T12:30:00.000005Z', 1);
INSERT INTO knowledge_gaps VALUES ('local', 'id 2', 'person 2', 'id 2', 'topic 2', 'medium', 'evidence 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 2, '2026-03-04T12:30:00.000005Z', 0);
INSERT INTO kata_specs VALUES ('local', 'id 1', 'person 1', 'id 1', 'title 1', 'description 1', 'scaffolding_code 1', 'instructor_notes 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}');
INSERT INTO kata_specs VALUES ('local', 'id 2', 'person 2', 'id 2', 'title 2', 'description 2', 'scaffolding_code 2', 'instructor_notes 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}');
INSERT INTO plans VALUES ('local', 'id 1', 'person 1', 'id 1', 'raw_plan_text 1', 'memory_connection 1', 'estimated_difficulty 1', '2026-03-03T12:30:00.000005Z');
INSERT INTO plans VALUES ('local', 'id 2', 'person 2', 'id 2', 'raw_plan_text 2', 'memory_connection 2', 'estimated_difficulty 2', '2026-03-04T12:30:00.000005Z');
INSERT INTO phases VALUES ('local', 'id 1', 'person 1', 'id 1', 1, 'title 1', 'description 1', 'active', 'hint_level 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO phases VALUES ('local', 'id 2', 'person 2', 'id 2', 2, 'title 2', 'description 2', 'active', 'hint_level 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO phase_hints VALUES ('local', 'id 1', 'person 1', 'id 1', 'line', 'path 1', 1, 1, 'style 1', 'hover_text 1');
INSERT INTO phase_hints VALUES ('local', 'id 2', 'person 2', 'id 2', 'line', 'path 2', 2, 2, 'style 2', 'hover_text 2');
INSERT INTO progress_events VALUES ('local', 'id 1', 'person 1', 'id 1', 'event_type 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO progress_events VALUES ('local', 'id 2', 'person 2', 'id 2', 'event_type 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO action_log VALUES ('local', 'id 1', 'person 1', 'id 1', 'action_type 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO action_log VALUES ('local', 'id 2', 'person 2', 'id 2', 'action_type 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO decisions VALUES ('local', 'id 1', 'project 1', '2026-03-03T12:30:00.000005Z', 'violation', 'agent 1', 'feature 1', 'task 1', 'what_happened 1', 'what_was_correct 1', 'why 1', 'enforcement_hook', 'session 1', 'cli 1', 'event 1', 'tool 1', 'action 1', 'reason 1', 'target 1', 'shape 1', 'rule 1', 1.5, 'project', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 1, '2026-03-03T12:30:00.000005Z', X'0100FF');
INSERT INTO decisions VALUES ('local', 'id 2', 'project 2', '2026-03-04T12:30:00.000005Z', 'violation', 'agent 2', 'feature 2', 'task 2', 'what_happened 2', 'what_was_correct 2', 'why 2', 'enforcement_hook', 'session 2', 'cli 2', 'event 2', 'tool 2', 'action 2', 'reason 2', 'target 2', 'shape 2', 'rule 2', 2.5, 'project', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 2, '2026-03-04T12:30:00.000005Z', X'0200FF');
INSERT INTO decision_edges VALUES ('local', 'source_kind 1', 'source_id 1', 'relation 1', 'target_kind 1', 'target_id 1', '2026-03-03T12:30:00.000005Z');
INSERT INTO decision_edges VALUES ('local', 'source_kind 2', 'source_id 2', 'relation 2', 'target_kind 2', 'target_id 2', '2026-03-04T12:30:00.000005Z');
INSERT INTO decision_sessions VALUES ('local', 'session 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-03T12:30:00.000005Z');
INSERT INTO decision_sessions VALUES ('local', 'session 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', '2026-03-04T12:30:00.000005Z');
INSERT INTO tenants VALUES ('school-1', 'name 1', 'active', '2026-03-03T12:30:00.000005Z');
INSERT INTO tenants VALUES ('school-2', 'name 2', 'active', '2026-03-04T12:30:00.000005Z');
INSERT INTO people VALUES ('local', 'id 1', 'name 1', 'email 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'password_hash 1', 'oidc_issuer 1', 'oidc_subject 1', 'active', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO people VALUES ('local', 'id 2', 'name 2', 'email 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}', 'password_hash 2', 'oidc_issuer 2', 'oidc_subject 2', 'active', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO sign_ins VALUES ('local', 'id 1', 'person 1', 'browser', 'label 1', 'csrf 1', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO sign_ins VALUES ('local', 'id 2', 'person 2', 'browser', 'label 2', 'csrf 2', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO sign_in_tries VALUES ('local', 'id 1', 1, '2026-03-03T12:30:00.000005Z', '2026-03-03T12:30:00.000005Z');
INSERT INTO sign_in_tries VALUES ('local', 'id 2', 2, '2026-03-04T12:30:00.000005Z', '2026-03-04T12:30:00.000005Z');
INSERT INTO oidc_starts VALUES ('local', 'id 1', 'nonce 1', 'verifier 1', 'back 1', '2026-03-03T12:30:00.000005Z');
INSERT INTO oidc_starts VALUES ('local', 'id 2', 'nonce 2', 'verifier 2', 'back 2', '2026-03-04T12:30:00.000005Z');
INSERT INTO audit_log VALUES ('local', 1, '2026-03-03T12:30:00.000005Z', 'person 1', 'action 1', 'target 1', '{"number": 1, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}');
INSERT INTO audit_log VALUES ('local', 2, '2026-03-04T12:30:00.000005Z', 'person 2', 'action 2', 'target 2', '{"number": 2, "text": "d\u00e9j\u00e0 vu", "list": [1, null]}');
INSERT INTO spend_limits VALUES ('local', 'person 1', 1.5, 1.5);
INSERT INTO spend_limits VALUES ('local', 'person 2', 2.5, 2.5);
INSERT INTO documents VALUES ('local', 'area 1', 'path 1', 1, 'hash 1', 'text 1', 1, '2026-03-03T12:30:00.000005Z', 'person 1', 'written_by 1');
INSERT INTO documents VALUES ('local', 'area 2', 'path 2', 2, 'hash 2', 'text 2', 0, '2026-03-04T12:30:00.000005Z', 'person 2', 'written_by 2');
INSERT INTO memory_log VALUES ('local', 'log 1', 1, '2026-03-03T12:30:00.000005Z', 'id 1', 'line 1');
INSERT INTO memory_log VALUES ('local', 'log 2', 2, '2026-03-04T12:30:00.000005Z', 'id 2', 'line 2');
INSERT INTO memory_log_heads VALUES ('local', 'log 1', 1, 'hash 1');
INSERT INTO memory_log_heads VALUES ('local', 'log 2', 2, 'hash 2');
