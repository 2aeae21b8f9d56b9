// A guest whose arguments, `{"do":"…"}`, say how it should go wrong.
// Built by: node guests/build-c.mjs test/wasm/misbehave/misbehave.c test/wasm/misbehave/misbehave.wasm
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "ken-tool.h"

static volatile int sink;
static char *volatile last_block;

// The array keeps the compiler from turning the recursion into a loop.
__attribute__((noinline)) static int deeper(int depth) {
  volatile int here[16];
  here[depth & 15] = depth;
  if (depth < 0) return 0;
  return deeper(depth + 1) + here[(depth + 1) & 15];
}

static bool is(ken_text given, const char *word) {
  const char before[] = "{\"do\":\"";
  size_t start = sizeof before - 1, length = strlen(word);
  return given.length == start + length + 2 && memcmp(given.bytes + start, word, length) == 0;
}

static ken_outcome run_tool(const ken_call *call) {
  ken_text given = call->arguments;
  if (is(given, "loop"))
    for (;;) sink++;
  if (is(given, "sleep")) sleep(3600);
  if (is(given, "recurse")) sink = deeper(0);
  if (is(given, "exit")) exit(3);
  if (is(given, "abort")) abort();
  if (is(given, "out-of-bounds")) sink = *(volatile int *)0xfffffff0u;
  if (is(given, "divide")) sink = 100 / sink;
  if (is(given, "memory"))
    for (;;) {
      char *block = malloc(1 << 20);
      if (!block) __builtin_trap();
      memset(block, 1, 1 << 20);
      last_block = block;
    }
  if (is(given, "print"))
    for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  if (is(given, "complain")) {
    fputs("this is why\n", stderr);
    abort();
  }
  if (is(given, "ask")) return ken_ask("sure", "Are you sure?", "boolean");
  if (is(given, "ask-strangely")) return ken_ask("sure", "Are you sure?", "perhaps");
  if (is(given, "answers")) return ken_success(call->answers);
  if (is(given, "name")) return ken_success(call->name);
  if (is(given, "root")) return ken_success(call->root);
  if (is(given, "environment")) return ken_success(ken_literal(getenv("HOME") ? "has one" : "has none"));
  if (is(given, "stdin")) {
    char byte;
    return ken_success(ken_literal(read(0, &byte, 1) > 0 ? "has one" : "has none"));
  }
  if (is(given, "bad-pointer")) return ken_success((ken_text){(const char *)0xffffff00u, 4096});
  if (is(given, "endless-text")) return ken_success((ken_text){(const char *)16, 0x7fffffff});
  if (is(given, "not-utf8")) return ken_success((ken_text){"\xff\xfe!", 3});
  if (is(given, "too-much")) {
    size_t length = 40 << 20;
    char *text = malloc(length);
    memset(text, 'x', length);
    return ken_success((ken_text){text, length});
  }
  return ken_error(ken_literal("does not know how to misbehave like that"));
}
