/** Tools as WebAssembly text. */

/** A tool whose `run` has this body, which leaves the address of an outcome; `more` stands beside it in the module. */
export function toolWat(body: string, more = ''): string {
  return `(component
  (import "ken:tool/types@0.1.0" (instance $types
    (type $a (enum "run" "format-arguments"))
    (export "action" (type $action (eq $a)))
    (type $c (record (field "root" string) (field "action" $action)))
    (export "context" (type (eq $c)))
    (type $e (record (field "message" string) (field "trace" (list string)) (field "transient" bool)))
    (export "error-info" (type $error (eq $e)))
    (type $q (record (field "id" string) (field "text" string) (field "answer-type" string)
      (field "default" (option string))))
    (export "question" (type $question (eq $q)))
    (type $o (variant (case "success" string) (case "error" $error) (case "needs-input" $question)))
    (export "outcome" (type (eq $o)))))
  (alias export $types "context" (type $context))
  (alias export $types "outcome" (type $outcome))
  (core module $m
    (memory (export "memory") 300)
    (global $top (mut i32) (i32.const 65536))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (global.get $top)
      (global.set $top (i32.add (global.get $top) (i32.and (i32.add (local.get 3) (i32.const 15)) (i32.const -16)))))
    (func (export "run") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) (local $at i32)
      ${body})
    ${more})
  (core instance $i (instantiate $m))
  (func $run (param "ctx" $context) (param "name" string) (param "arguments" string) (param "answers" string)
    (result $outcome)
    (canon lift (core func $i "run") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
  (export "run" (func $run)))`;
}

/** A body that answers with the empty text. */
export const SUCCESS = '(i32.const 16)';

/** A body that answers with an error whose trace names one text of a mebibyte a million times. */
export const ALIASES = `(loop $more
  (i32.store (i32.add (i32.const 2097152) (local.get $at)) (i32.const 65536))
  (i32.store (i32.add (i32.const 2097156) (local.get $at)) (i32.const 1048576))
  (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8388608))))
  (memory.fill (i32.const 65536) (i32.const 120) (i32.const 1048576))
  (i32.store8 (i32.const 16) (i32.const 1))
  (i32.store (i32.const 20) (i32.const 65536)) (i32.store (i32.const 24) (i32.const 1))
  (i32.store (i32.const 28) (i32.const 2097152)) (i32.store (i32.const 32) (i32.const 1048576))
  (i32.const 16)`;
