-- Generated from tables.py and the modules beside it. Do not edit: change those, then run `python -m ethos.store.sqlite.generate`.

CREATE TABLE audit (
	seq INTEGER NOT NULL,
	at BIGINT NOT NULL,
	run TEXT NOT NULL,
	action TEXT NOT NULL,
	payload TEXT,
	salt TEXT,
	seal TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (seq)
);

CREATE TABLE distilled (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	session TEXT NOT NULL,
	until BIGINT NOT NULL,
	at BIGINT NOT NULL,
	memories INTEGER NOT NULL,
	maker TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	problem TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_distilled_session ON distilled (session);

CREATE TABLE episodes (
	seq INTEGER NOT NULL,
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	session TEXT NOT NULL,
	role TEXT NOT NULL,
	speaker TEXT NOT NULL,
	origin INTEGER NOT NULL,
	text TEXT NOT NULL,
	said_at BIGINT NOT NULL,
	captured_at BIGINT NOT NULL,
	importance FLOAT NOT NULL,
	importance_given BOOLEAN NOT NULL,
	source TEXT NOT NULL,
	time_source TEXT NOT NULL,
	kind TEXT NOT NULL,
	tone FLOAT NOT NULL,
	tags TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (id)
);
CREATE INDEX idx_episodes_said_at ON episodes (said_at);
CREATE INDEX idx_episodes_session ON episodes (session, said_at);

CREATE TABLE facts (
	seq INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	predicate TEXT NOT NULL,
	object TEXT NOT NULL,
	polarity TEXT NOT NULL,
	cardinality TEXT NOT NULL,
	subject_key TEXT NOT NULL,
	predicate_key TEXT NOT NULL,
	slot TEXT NOT NULL,
	object_key TEXT NOT NULL,
	statement TEXT NOT NULL,
	confidence FLOAT NOT NULL,
	origin INTEGER NOT NULL,
	rule TEXT NOT NULL,
	rule_version INTEGER NOT NULL,
	pack_version TEXT NOT NULL,
	valid_from BIGINT NOT NULL,
	recorded_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	tense TEXT NOT NULL,
	over TEXT,
	replaces TEXT,
	affirmed_at BIGINT,
	valid_to BIGINT,
	closed_at BIGINT,
	superseded_by TEXT,
	retired_at BIGINT,
	flagged BOOLEAN NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (id, version),
	CONSTRAINT ck_facts_confidence CHECK (confidence BETWEEN 0 AND 1)
);
CREATE INDEX idx_facts_run ON facts (run);
CREATE INDEX idx_facts_subject_pred ON facts (user, subject_key, project, predicate_key, slot);
CREATE INDEX idx_facts_superseded_by ON facts (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE in_hand (
	seq INTEGER NOT NULL,
	episodes TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq)
);

CREATE TABLE journal (
	seq INTEGER NOT NULL,
	run TEXT NOT NULL,
	kind TEXT NOT NULL,
	id TEXT NOT NULL,
	"before" TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq)
);
CREATE INDEX idx_journal_record ON journal (kind, id);
CREATE INDEX idx_journal_run ON journal (run);

CREATE TABLE lesson_evidence (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	lesson TEXT NOT NULL,
	episodes TEXT NOT NULL,
	added_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;

CREATE TABLE lessons (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	about TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	summary TEXT NOT NULL,
	found_by TEXT NOT NULL,
	found_at BIGINT NOT NULL,
	first_at BIGINT NOT NULL,
	last_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	evidence TEXT NOT NULL,
	related TEXT NOT NULL,
	grounds TEXT NOT NULL,
	condition TEXT NOT NULL,
	better BOOLEAN NOT NULL,
	good_with INTEGER NOT NULL,
	all_with INTEGER NOT NULL,
	good_without INTEGER NOT NULL,
	all_without INTEGER NOT NULL,
	low FLOAT NOT NULL,
	high FLOAT NOT NULL,
	p FLOAT NOT NULL,
	tried INTEGER NOT NULL,
	against FLOAT NOT NULL,
	recent_good FLOAT NOT NULL,
	recent_so FLOAT NOT NULL,
	retired_at BIGINT,
	note TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_lessons_order ON lessons (found_at, id);

CREATE TABLE memories (
	seq INTEGER NOT NULL,
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	title TEXT NOT NULL,
	description TEXT NOT NULL,
	content TEXT NOT NULL,
	outcome TEXT NOT NULL,
	scope TEXT NOT NULL,
	origin INTEGER NOT NULL,
	maker TEXT NOT NULL,
	initial_confidence FLOAT NOT NULL,
	confidence FLOAT NOT NULL,
	recorded_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	session TEXT NOT NULL,
	tags TEXT NOT NULL,
	state TEXT NOT NULL,
	usage_count INTEGER NOT NULL,
	consolidation_id TEXT,
	sources TEXT NOT NULL,
	consensus_bonus FLOAT NOT NULL,
	archived_at BIGINT,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (id)
);
CREATE INDEX idx_memories_consolidation ON memories (consolidation_id);
CREATE INDEX idx_memories_order ON memories (recorded_at, id);
CREATE INDEX idx_memories_project ON memories (project);

CREATE TABLE memory_questions (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	memory TEXT NOT NULL,
	proposal TEXT NOT NULL,
	opened_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	resolved_at BIGINT,
	action TEXT,
	"by" TEXT,
	note TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_memory_questions_memory ON memory_questions (memory);
CREATE INDEX idx_memory_questions_order ON memory_questions (opened_at, id);

CREATE TABLE memory_traces (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	source TEXT NOT NULL,
	target TEXT NOT NULL,
	type TEXT NOT NULL,
	strength FLOAT NOT NULL,
	created_at BIGINT NOT NULL,
	narrative_id TEXT NOT NULL,
	relation TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_memory_traces_narrative_id ON memory_traces (narrative_id);
CREATE INDEX idx_memory_traces_source ON memory_traces (source);
CREATE INDEX idx_memory_traces_target ON memory_traces (target);

CREATE TABLE playbooks (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	lesson TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	"trigger" TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	withdrawn_at BIGINT,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_playbooks_lesson ON playbooks (lesson);

CREATE TABLE profiles (
	user TEXT NOT NULL,
	id TEXT NOT NULL,
	facts TEXT NOT NULL,
	summaries INTEGER NOT NULL,
	made_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (user)
)
 WITHOUT ROWID;

CREATE TABLE project_trust (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	explicit_alpha FLOAT NOT NULL,
	explicit_beta FLOAT NOT NULL,
	usage_alpha FLOAT NOT NULL,
	usage_beta FLOAT NOT NULL,
	outcome_alpha FLOAT NOT NULL,
	outcome_beta FLOAT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;

CREATE TABLE questions (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	existing TEXT NOT NULL,
	new TEXT NOT NULL,
	opened_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	repeats INTEGER NOT NULL,
	resolved_at BIGINT,
	action TEXT,
	"by" TEXT,
	note TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_questions_existing ON questions (existing);
CREATE INDEX idx_questions_new ON questions (new);
CREATE INDEX idx_questions_open ON questions (opened_at) WHERE resolved_at IS NULL;

CREATE TABLE retrievals (
	record TEXT NOT NULL,
	session TEXT NOT NULL,
	retrieved_at BIGINT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (record, session)
)
 WITHOUT ROWID;

CREATE TABLE runs (
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	reason TEXT NOT NULL,
	session TEXT,
	started_at BIGINT NOT NULL,
	ended_at BIGINT,
	rules TEXT NOT NULL,
	counts TEXT NOT NULL,
	outcome TEXT NOT NULL,
	problem TEXT NOT NULL,
	undone_by TEXT,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_runs_name ON runs (name, started_at);
CREATE INDEX idx_runs_started ON runs (started_at);

CREATE TABLE salience (
	record TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	kind TEXT NOT NULL,
	base FLOAT NOT NULL,
	tone FLOAT NOT NULL,
	created_at BIGINT NOT NULL,
	accessed_at BIGINT NOT NULL,
	retrievals INTEGER NOT NULL,
	fades_at BIGINT NOT NULL,
	faded BOOLEAN NOT NULL,
	consolidated_salience_score FLOAT,
	consolidated_importance FLOAT,
	breakthrough_score FLOAT,
	last_consolidated_at BIGINT,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (record)
)
 WITHOUT ROWID;
CREATE INDEX idx_salience_consolidated ON salience (last_consolidated_at) WHERE consolidated_salience_score IS NOT NULL;
CREATE INDEX idx_salience_fading ON salience (fades_at) WHERE faded = 0;

CREATE TABLE served (
	seq INTEGER NOT NULL,
	mark TEXT NOT NULL,
	at BIGINT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (mark)
);

CREATE TABLE session_events (
	seq INTEGER NOT NULL,
	session TEXT NOT NULL,
	at BIGINT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq)
);
CREATE INDEX idx_session_events_at ON session_events (at);

CREATE TABLE summaries (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	session TEXT NOT NULL,
	sentences TEXT NOT NULL,
	cited TEXT NOT NULL,
	episodes TEXT NOT NULL,
	words INTEGER NOT NULL,
	began_at BIGINT NOT NULL,
	ended_at BIGINT NOT NULL,
	recorded_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	made_by TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_summaries_recorded_at ON summaries (recorded_at);
CREATE INDEX idx_summaries_session ON summaries (session);

CREATE TABLE tallies (
	memory TEXT NOT NULL,
	rolled_up_at BIGINT NOT NULL,
	explicit_positive INTEGER NOT NULL,
	explicit_negative INTEGER NOT NULL,
	usage_positive INTEGER NOT NULL,
	usage_negative INTEGER NOT NULL,
	outcome_positive INTEGER NOT NULL,
	outcome_negative INTEGER NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (memory)
)
 WITHOUT ROWID;

CREATE TABLE tellings (
	episode TEXT NOT NULL,
	summary TEXT NOT NULL,
	run TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (episode)
)
 WITHOUT ROWID;

CREATE TABLE tombstones (
	mac TEXT NOT NULL,
	at BIGINT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (mac)
)
 WITHOUT ROWID;

CREATE TABLE evidence (
	fact TEXT NOT NULL,
	episode TEXT NOT NULL,
	rule TEXT NOT NULL,
	rule_version INTEGER NOT NULL,
	start INTEGER NOT NULL,
	"end" INTEGER NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	object TEXT NOT NULL,
	confidence FLOAT NOT NULL,
	said_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	modifiers TEXT NOT NULL,
	verdict TEXT NOT NULL,
	statement TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (fact, episode, rule, rule_version, start, "end", run),
	FOREIGN KEY(episode) REFERENCES episodes (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_evidence_episode ON evidence (episode);

CREATE TABLE marks (
	episode TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	importance FLOAT NOT NULL,
	captured_at BIGINT NOT NULL,
	scanned_at BIGINT,
	scanned_rules TEXT,
	consolidated_at BIGINT,
	attempts INTEGER NOT NULL,
	set_aside TEXT,
	pruned BOOLEAN NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	scan_checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (episode),
	FOREIGN KEY(episode) REFERENCES episodes (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_episodes_unconsolidated ON marks (scanned_rules, attempts, importance DESC, captured_at, episode) WHERE consolidated_at IS NULL AND set_aside IS NULL AND pruned = 0;

CREATE TABLE signals (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	memory TEXT NOT NULL,
	kind TEXT NOT NULL,
	positive BOOLEAN NOT NULL,
	at BIGINT NOT NULL,
	session TEXT NOT NULL,
	comment TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(memory) REFERENCES memories (id)
)
 WITHOUT ROWID;
CREATE INDEX idx_signals_at ON signals (at, id);
CREATE INDEX idx_signals_memory ON signals (memory);

CREATE TABLE suspects (
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	subject_key TEXT NOT NULL,
	predicate_key TEXT NOT NULL,
	slot TEXT NOT NULL,
	object_key TEXT NOT NULL,
	polarity TEXT NOT NULL,
	episode TEXT NOT NULL,
	rule TEXT NOT NULL,
	rule_version INTEGER NOT NULL,
	start INTEGER NOT NULL,
	"end" INTEGER NOT NULL,
	object TEXT NOT NULL,
	confidence FLOAT NOT NULL,
	said_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (user, project, subject_key, predicate_key, slot, object_key, polarity, episode, run),
	FOREIGN KEY(episode) REFERENCES episodes (id)
)
 WITHOUT ROWID;
