// A guest that sends one request and answers with the status and the body, or with the error of wasi:http.
// Arguments: `method`, `scheme` (HTTP or HTTPS), `authority`, `path`, `body`, and `secret`, the name of a variable that
// it sends as a header, and as `leak` says (`result`, `stdout`, `error`, `base64`) also shows.
// Built by: node guests/build-c.mjs test/wasm/fetch/fetch.c test/wasm/fetch/fetch.wasm test/wasm/fetch/fetch.wit
#include <stdio.h>

#include "ken-tool.h"

#define HTTP "wasi:http/types@0.2.12"
#define IO "wasi:io/streams@0.2.12"
#define IMPORT(module, name) __attribute__((import_module(module), import_name(name)))

// Results that the canonical ABI writes to memory; the largest alignment of any of them is 8.
typedef struct {
  _Alignas(8) uint8_t bytes[64];
} written;

static uint8_t tag_at(const written *result, size_t at) { return result->bytes[at]; }
static int32_t word_at(const written *result, size_t at) { return *(const int32_t *)(result->bytes + at); }

IMPORT(HTTP, "[constructor]fields") int32_t fields_new(void);
IMPORT(HTTP, "[method]fields.append")
void fields_append(int32_t self, const char *name, size_t name_length, const char *value, size_t length, written *result);
IMPORT(HTTP, "[constructor]outgoing-request") int32_t request_new(int32_t headers);
IMPORT(HTTP, "[method]outgoing-request.set-method")
int32_t request_set_method(int32_t self, int32_t tag, const char *other, size_t length);
IMPORT(HTTP, "[method]outgoing-request.set-scheme")
int32_t request_set_scheme(int32_t self, int32_t some, int32_t tag, const char *other, size_t length);
IMPORT(HTTP, "[method]outgoing-request.set-authority")
int32_t request_set_authority(int32_t self, int32_t some, const char *text, size_t length);
IMPORT(HTTP, "[method]outgoing-request.set-path-with-query")
int32_t request_set_path(int32_t self, int32_t some, const char *text, size_t length);
IMPORT(HTTP, "[method]outgoing-request.body") void request_body(int32_t self, written *result);
IMPORT(HTTP, "[method]outgoing-body.write") void body_write(int32_t self, written *result);
IMPORT(HTTP, "[static]outgoing-body.finish") void body_finish(int32_t self, int32_t some, int32_t trailers, written *result);
IMPORT(IO, "[method]output-stream.blocking-write-and-flush")
void stream_write(int32_t self, const char *bytes, size_t length, written *result);
IMPORT(IO, "[resource-drop]output-stream") void stream_drop(int32_t self);
IMPORT("wasi:http/outgoing-handler@0.2.12", "handle")
void handle(int32_t request, int32_t some, int32_t options, written *result);
IMPORT(HTTP, "[method]future-incoming-response.subscribe") int32_t future_subscribe(int32_t self);
IMPORT("wasi:io/poll@0.2.12", "[method]pollable.block") void pollable_block(int32_t self);
IMPORT("wasi:io/poll@0.2.12", "[resource-drop]pollable") void pollable_drop(int32_t self);
IMPORT(HTTP, "[method]future-incoming-response.get") void future_get(int32_t self, written *result);
IMPORT(HTTP, "[method]incoming-response.status") int32_t response_status(int32_t self);
IMPORT(HTTP, "[method]incoming-response.consume") void response_consume(int32_t self, written *result);
IMPORT(HTTP, "[method]incoming-body.stream") void incoming_stream(int32_t self, written *result);
IMPORT(IO, "[method]input-stream.blocking-read") void stream_read(int32_t self, int64_t length, written *result);

static const char *const ERRORS[] = {
    "DNS-timeout", "DNS-error", "destination-not-found", "destination-unavailable", "destination-IP-prohibited",
    "destination-IP-unroutable", "connection-refused", "connection-terminated", "connection-timeout",
    "connection-read-timeout", "connection-write-timeout", "connection-limit-reached", "TLS-protocol-error",
    "TLS-certificate-error", "TLS-alert-received", "HTTP-request-denied", "HTTP-request-length-required",
    "HTTP-request-body-size", "HTTP-request-method-invalid", "HTTP-request-URI-invalid", "HTTP-request-URI-too-long",
    "HTTP-request-header-section-size", "HTTP-request-header-size", "HTTP-request-trailer-section-size",
    "HTTP-request-trailer-size", "HTTP-response-incomplete", "HTTP-response-header-section-size",
    "HTTP-response-header-size", "HTTP-response-body-size", "HTTP-response-trailer-section-size",
    "HTTP-response-trailer-size", "HTTP-response-transfer-coding", "HTTP-response-content-coding",
    "HTTP-response-timeout", "HTTP-upgrade-failed", "HTTP-protocol-error", "loop-detected", "configuration-error",
    "internal-error"};

static ken_outcome failed(uint8_t code) {
  return ken_error(ken_literal(code < sizeof ERRORS / sizeof *ERRORS ? ERRORS[code] : "unknown"));
}

// The text of a member whose value has no escapes; empty when it is absent.
static ken_text member(ken_text json, const char *name) {
  char key[64];
  int length = snprintf(key, sizeof key, "\"%s\":\"", name);
  for (size_t at = 0; at + (size_t)length <= json.length; at++) {
    if (memcmp(json.bytes + at, key, (size_t)length) != 0) continue;
    const char *start = json.bytes + at + length;
    const char *end = memchr(start, '"', (size_t)(json.bytes + json.length - start));
    return end ? (ken_text){start, (size_t)(end - start)} : ken_literal("");
  }
  return ken_literal("");
}

static char *c_string(ken_text text) {
  char *copy = malloc(text.length + 1);
  if (!copy) abort();
  memcpy(copy, text.bytes, text.length);
  copy[text.length] = '\0';
  return copy;
}

static bool is(ken_text text, const char *word) {
  return text.length == strlen(word) && memcmp(text.bytes, word, text.length) == 0;
}

static int32_t method_tag(ken_text method) {
  const char *const names[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  for (int32_t at = 0; at < 9; at++)
    if (is(method, names[at])) return at;
  return 9;
}

static ken_text base64(const char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t length = strlen(text), out = 0;
  char *encoded = calloc(length * 2 + 5, 1);
  for (size_t at = 0; at < length; at += 3) {
    uint32_t block = 0;
    for (size_t part = 0; part < 3; part++)
      block = block << 8 | (at + part < length ? (uint8_t)text[at + part] : 0);
    for (size_t part = 0; part < 4; part++)
      encoded[out++] = at + part > length ? '=' : digits[block >> (18 - 6 * part) & 63];
  }
  return (ken_text){encoded, out};
}

static ken_outcome read_response(int32_t response) {
  written result;
  response_consume(response, &result);
  incoming_stream(word_at(&result, 4), &result);
  int32_t stream = word_at(&result, 4);
  size_t length = (size_t)0;
  char *text = malloc(1 << 22);
  if (!text) abort();
  length += (size_t)snprintf(text, 32, "%d ", response_status(response));
  for (;;) {
    stream_read(stream, 65536, &result);
    if (tag_at(&result, 0) == 1) break;
    size_t count = (size_t)word_at(&result, 8);
    if (length + count > 1 << 22) return ken_error(ken_literal("too long"));
    memcpy(text + length, (const char *)(intptr_t)word_at(&result, 4), count);
    length += count;
  }
  return tag_at(&result, 4) == 1 ? ken_success((ken_text){text, length}) : ken_error(ken_literal("the body broke off"));
}

static ken_outcome leak(ken_text how, const char *value) {
  if (is(how, "stdout")) {
    printf("secret %s\n", value);
    fflush(stdout);
    return ken_success(ken_literal("printed"));
  }
  if (is(how, "base64")) return ken_success(base64(value));
  if (is(how, "crash")) {
    fprintf(stderr, "about to crash with %s\n", value);
    fflush(stderr);
    __builtin_trap();
  }
  return is(how, "error") ? ken_error(ken_literal(value)) : ken_success(ken_literal(value));
}

static ken_outcome run_tool(const ken_call *call) {
  ken_text given = call->arguments, secret = member(given, "secret");
  const char *value = secret.length > 0 ? getenv(c_string(secret)) : NULL;
  if (member(given, "leak").length > 0) return leak(member(given, "leak"), value ? value : "absent");
  written result;
  int32_t headers = fields_new();
  if (value) fields_append(headers, "X-Secret", 8, value, strlen(value), &result);
  int32_t request = request_new(headers);
  ken_text method = member(given, "method"), authority = member(given, "authority");
  ken_text path = member(given, "path"), body = member(given, "body");
  request_set_method(request, method_tag(method), method.bytes, method.length);
  request_set_scheme(request, 1, is(member(given, "scheme"), "HTTPS") ? 1 : 0, NULL, 0);
  request_set_authority(request, 1, authority.bytes, authority.length);
  request_set_path(request, 1, path.bytes, path.length);
  int32_t outgoing = -1;
  if (body.length > 0) {
    request_body(request, &result);
    outgoing = word_at(&result, 4);
  }
  handle(request, 0, 0, &result);
  if (tag_at(&result, 0) == 1) return failed(tag_at(&result, 8));
  int32_t future = word_at(&result, 8);
  if (body.length > 0) {
    body_write(outgoing, &result);
    int32_t stream = word_at(&result, 4);
    stream_write(stream, body.bytes, body.length, &result);
    stream_drop(stream);
    body_finish(outgoing, 0, 0, &result);
  }
  int32_t pollable = future_subscribe(future);
  pollable_block(pollable);
  pollable_drop(pollable);
  future_get(future, &result);
  if (tag_at(&result, 16) == 1) return failed(tag_at(&result, 24));
  return read_response(word_at(&result, 24));
}
