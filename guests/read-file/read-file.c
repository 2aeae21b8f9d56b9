// Reads the file named by the argument `path`, below the context's root, and answers its text.
#include <errno.h>
#include <stdio.h>

#include "ken-tool.h"

static ken_text joined(const char *before, const char *after) {
  size_t length = strlen(before) + strlen(after);
  char *text = malloc(length + 1);
  if (!text) abort();
  strcpy(text, before);
  strcat(text, after);
  return (ken_text){text, length};
}

// The four hexadecimal digits after `\u`, or -1.
static int32_t hex4(const char *at, const char *end) {
  int32_t value = 0;
  if (end - at < 4) return -1;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

static char *put_utf8(char *out, uint32_t point) {
  if (point < 0x80) *out++ = (char)point;
  else if (point < 0x800) {
    *out++ = (char)(0xc0 | point >> 6);
    *out++ = (char)(0x80 | (point & 63));
  } else if (point < 0x10000) {
    *out++ = (char)(0xe0 | point >> 12);
    *out++ = (char)(0x80 | (point >> 6 & 63));
    *out++ = (char)(0x80 | (point & 63));
  } else {
    *out++ = (char)(0xf0 | point >> 18);
    *out++ = (char)(0x80 | (point >> 12 & 63));
    *out++ = (char)(0x80 | (point >> 6 & 63));
    *out++ = (char)(0x80 | (point & 63));
  }
  return out;
}

// What a one-letter escape stands for, or NUL.
static char unescaped(char letter) {
  switch (letter) {
    case '"': case '\\': case '/': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
  }
}

// The code point of the `\u` escape at `*at`, which moves behind it; 0 if it is none. Two surrogates make one.
static uint32_t unicode_escape(const char **at, const char *end) {
  int32_t point = hex4(*at + 2, end), low;
  if (point <= 0) return 0;
  *at += 6;
  bool pair = point >= 0xd800 && point < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
  if (pair && (low = hex4(*at + 2, end)) >= 0xdc00 && low < 0xe000) {
    *at += 6;
    point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
  }
  return point >= 0xd800 && point < 0xe000 ? 0 : (uint32_t)point;
}

// Reads a JSON string that starts behind its opening quote; answers a C string, or NULL if it is not one.
// A string with a NUL inside is none: no path has one.
static char *json_string(const char **position, const char *end) {
  const char *at = *position;
  char *text = malloc((size_t)(end - at) + 1), *out = text;
  if (!text) abort();
  while (at < end && *at != '"') {
    if (*at != '\\') *out++ = *at++;
    else if (end - at < 2) return NULL;
    else if (at[1] == 'u') {
      uint32_t point = unicode_escape(&at, end);
      if (point == 0) return NULL;
      out = put_utf8(out, point);
    } else {
      *out = unescaped(at[1]);
      if (*out++ == '\0') return NULL;
      at += 2;
    }
  }
  if (at >= end) return NULL;
  *out = '\0';
  *position = at + 1;
  return text;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && strchr(" \t\r\n", *at) && *at != '\0') at++;
  return at;
}

// The value of `path` when the arguments are exactly `{"path": "…"}`, else NULL.
static char *path_argument(ken_text json) {
  const char *at = json.bytes, *end = at + json.length;
  at = skip_blanks(at, end);
  if (at >= end || *at++ != '{') return NULL;
  at = skip_blanks(at, end);
  if (at >= end || *at++ != '"') return NULL;
  char *key = json_string(&at, end);
  if (!key || strcmp(key, "path") != 0) return NULL;
  at = skip_blanks(at, end);
  if (at >= end || *at++ != ':') return NULL;
  at = skip_blanks(at, end);
  if (at >= end || *at++ != '"') return NULL;
  char *path = json_string(&at, end);
  at = skip_blanks(at, end);
  return path && at < end && *at == '}' ? path : NULL;
}

static ken_outcome read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return ken_error(joined("Failed to read file: ", strerror(errno)));
  size_t room = 4096, length = 0;
  char *content = malloc(room);
  while (content) {
    size_t count = fread(content + length, 1, room - length, file);
    length += count;
    if (count == 0) break;
    if (length == room) content = realloc(content, room *= 2);
  }
  if (!content) abort();
  bool failed = ferror(file);
  int reason = errno;
  fclose(file);
  return failed ? ken_error(joined("Failed to read file: ", strerror(reason)))
                : ken_success((ken_text){content, length});
}

static ken_outcome run_tool(const ken_call *call) {
  char *path = path_argument(call->arguments);
  if (!path) return ken_error(ken_literal("Invalid arguments: an object with the string \"path\" is wanted."));
  if (call->action == KEN_FORMAT_ARGUMENTS) return ken_success(joined("read ", path));
  char *root = malloc(call->root.length + 2);
  if (!root) abort();
  memcpy(root, call->root.bytes, call->root.length);
  strcpy(root + call->root.length, "/");
  return read_whole(joined(root, path).bytes);
}
