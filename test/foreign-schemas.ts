/** Databases of other programs, in the form in which those programs make them. */

export const CLAUDE_MEM_SCHEMA = `
  create table sdk_sessions (id integer primary key autoincrement, content_session_id text unique not null,
    memory_session_id text unique, project text not null, user_prompt text, started_at text not null,
    started_at_epoch integer not null, status text not null default 'active', custom_title text);
  create table observations (id integer primary key autoincrement, memory_session_id text not null,
    project text not null, text text, type text not null, title text, subtitle text, facts text, narrative text,
    concepts text, files_read text, files_modified text, content_hash text, created_at text not null,
    created_at_epoch integer not null);
  create table session_summaries (id integer primary key autoincrement, memory_session_id text not null,
    project text not null, request text, investigated text, learned text, completed text, next_steps text, notes text,
    prompt_number integer, created_at text not null, created_at_epoch integer not null);
  create table user_prompts (id integer primary key autoincrement, content_session_id text not null,
    prompt_number integer not null, prompt_text text not null, created_at text not null,
    created_at_epoch integer not null);`;

export const QMD_SCHEMA = `
  create table content (hash text primary key, doc text not null, created_at text not null);
  create table documents (id integer primary key autoincrement, collection text not null, path text not null,
    title text not null, hash text not null, created_at text not null, modified_at text not null,
    active integer not null default 1, foreign key (hash) references content(hash), unique (collection, path));
  create virtual table documents_fts using fts5(filepath, title, body);
  create trigger documents_ai after insert on documents begin insert into documents_fts values ('a', 'b', 'c'); end;`;
