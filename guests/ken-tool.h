// The world `tool` of ken:tool@0.1.0 for guests in C: include this once, define `run_tool`, use the helpers.
// It is the canonical ABI written by hand, so no binding generator is needed.
#ifndef KEN_TOOL_H
#define KEN_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Not zero-terminated. Text given to a tool lives until the call ends.
typedef struct {
  const char *bytes;
  size_t length;
} ken_text;

typedef enum { KEN_RUN = 0, KEN_FORMAT_ARGUMENTS = 1 } ken_action;

typedef struct {
  ken_text root;
  ken_action action;
  ken_text name;
  ken_text arguments;
  ken_text answers;
} ken_call;

typedef struct {
  uint8_t tag;
  union {
    ken_text success;
    struct {
      ken_text message;
      const ken_text *trace;
      size_t trace_length;
      uint8_t transient;
    } error;
    struct {
      ken_text id;
      ken_text text;
      ken_text answer_type;
      uint8_t has_default;
      ken_text default_answer;
    } needs_input;
  };
} ken_outcome;

_Static_assert(sizeof(ken_outcome) == 40, "outcome has the size the canonical ABI gives it");
_Static_assert(offsetof(ken_outcome, success) == 4, "its payload starts where the canonical ABI puts it");

// To be defined by the tool.
static ken_outcome run_tool(const ken_call *call);

static inline ken_text ken_literal(const char *text) { return (ken_text){text, strlen(text)}; }

static inline ken_outcome ken_success(ken_text text) { return (ken_outcome){.tag = 0, .success = text}; }

static inline ken_outcome ken_error(ken_text message) {
  return (ken_outcome){.tag = 1, .error = {.message = message}};
}

static inline ken_outcome ken_ask(const char *id, const char *text, const char *answer_type) {
  return (ken_outcome){
      .tag = 2,
      .needs_input = {.id = ken_literal(id), .text = ken_literal(text), .answer_type = ken_literal(answer_type)}};
}

// The host allocates what it passes in with this.
__attribute__((export_name("cabi_realloc"))) void *ken_realloc(void *old, size_t old_size, size_t align, size_t size) {
  (void)old_size;
  if (size == 0) return (void *)align;
  void *block = realloc(old, size);
  if (!block) __builtin_trap();
  return block;
}

__attribute__((export_name("run"))) ken_outcome *ken_run(const char *root, size_t root_length, int32_t action,
                                                         const char *name, size_t name_length, const char *arguments,
                                                         size_t arguments_length, const char *answers,
                                                         size_t answers_length) {
  static ken_outcome outcome;
  ken_call call = {{root, root_length},
                   action == 0 ? KEN_RUN : KEN_FORMAT_ARGUMENTS,
                   {name, name_length},
                   {arguments, arguments_length},
                   {answers, answers_length}};
  outcome = run_tool(&call);
  return &outcome;
}

#endif
