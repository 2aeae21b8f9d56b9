#include <dirent.h>
#include <stdio.h>

#include "ken-tool.h"

// The arguments are JSON. For more than this, bring a JSON library.
static ken_text string_argument(ken_text json, const char *key) {
  char pattern[64];
  int length = snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
  for (size_t at = 0; at + (size_t)length <= json.length; at++) {
    if (memcmp(json.bytes + at, pattern, (size_t)length) != 0) continue;
    const char *start = json.bytes + at + length, *end = json.bytes + json.length;
    const char *stop = start;
    while (stop < end && *stop != '"') stop += *stop == '\\' ? 2 : 1;
    return (ken_text){start, (size_t)((stop < end ? stop : end) - start)};
  }
  return (ken_text){"", 0};
}

static int count_names(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

static ken_outcome run_tool(const ken_call *call) {
  static char text[1024];
  ken_text name = string_argument(call->arguments, "name");
  if (call->action == KEN_FORMAT_ARGUMENTS) {
    snprintf(text, sizeof text, "greet %.*s", (int)name.length, name.bytes);
    return ken_success(ken_literal(text));
  }
  snprintf(text, sizeof text, "Hello, %.*s! I see %d names here.", (int)name.length, name.bytes,
           count_names("/workspace"));
  return ken_success(ken_literal(text));
}
