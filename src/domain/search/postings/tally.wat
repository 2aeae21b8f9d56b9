;; Where the time of indexing goes: finds the runs of a text and counts the terms of those that are known.
;; Assembled into tally-bytes.ts by scripts/build-kernel.ts; a test holds the two together.
(module
  (import "host" "memory" (memory 1))

  ;; What JavaScript and this module tell each other, as i32 from address 0 on.
  (global $SLOTS i32 (i32.const 0))        ;; address of the hash table: number of a run, from 1; 0 is empty
  (global $MASK i32 (i32.const 4))         ;; number of slots, less one
  (global $RUNS i32 (i32.const 8))         ;; address of runs, five i32 each: hash, address, length, values, count
  (global $COUNTS i32 (i32.const 12))      ;; address of an i32 for each term: its weight in the current chunk
  (global $TOUCHED i32 (i32.const 16))     ;; address of the terms of the current chunk
  (global $FOUND i32 (i32.const 20))       ;; how many those are
  (global $LENGTH i32 (i32.const 24))      ;; weight of all terms of the current chunk
  (global $START i32 (i32.const 28))       ;; of a run that is not known: where it starts,
  (global $END i32 (i32.const 32))         ;; where it ends,
  (global $HASH i32 (i32.const 36))        ;; and its hash
  (global $LOG_TERMS i32 (i32.const 40))   ;; addresses of the log of postings: terms,
  (global $LOG_CHUNKS i32 (i32.const 44))  ;; chunks,
  (global $LOG_WEIGHTS i32 (i32.const 48)) ;; and weights, a byte each
  (global $LOGGED i32 (i32.const 52))      ;; how many those are
  ;; From 64 on, a byte for each byte: 1 if it is part of a word.

  ;; Are the bytes of a run those of the text at $start?
  (func $isSame (param $run i32) (param $start i32) (param $length i32) (result i32)
    (local $known i32) (local $end i32)
    (if (i32.ne (i32.load offset=8 (local.get $run)) (local.get $length)) (then (return (i32.const 0))))
    (local.set $known (i32.load offset=4 (local.get $run)))
    (local.set $end (i32.add (local.get $start) (local.get $length)))
    (loop $next
      (if (i32.ne (i32.load8_u (local.get $known)) (i32.load8_u (local.get $start))) (then (return (i32.const 0))))
      (local.set $known (i32.add (local.get $known) (i32.const 1)))
      (local.set $start (i32.add (local.get $start) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $start) (local.get $end))))
    (i32.const 1))

  ;; The address of a known run; 0 when it is not known; 1 when it must not be remembered.
  (func $find (param $start i32) (param $length i32) (param $hash i32) (param $longest i32) (param $probes i32)
    (result i32)
    (local $slots i32) (local $mask i32) (local $slot i32) (local $number i32) (local $run i32)
    (if (i32.gt_u (local.get $length) (local.get $longest)) (then (return (i32.const 1))))
    (local.set $slots (i32.load (global.get $SLOTS)))
    (local.set $mask (i32.load (global.get $MASK)))
    (local.set $slot (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))))
    (loop $next
      (local.set $slot (i32.and (local.get $slot) (local.get $mask)))
      (local.set $number (i32.load (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2)))))
      (if (i32.eqz (local.get $number)) (then (return (i32.const 0))))
      (local.set $run (i32.add (i32.load (global.get $RUNS))
        (i32.mul (i32.sub (local.get $number) (i32.const 1)) (i32.const 20))))
      (if (i32.eq (i32.load (local.get $run)) (local.get $hash))
        (then (if (call $isSame (local.get $run) (local.get $start) (local.get $length))
          (then (return (local.get $run))))))
      (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
      (local.set $probes (i32.sub (local.get $probes) (i32.const 1)))
      (br_if $next (local.get $probes)))
    (i32.const 1))

  ;; Counts the text from $at to $end. Answers 0 when all of it is counted, 1 at a run that is not known, 2 at one that
  ;; must not be remembered; then START, END and HASH tell of it.
  (func (export "scan")
    (param $at i32) (param $end i32) (param $weight i32) (param $longest i32) (param $probes i32) (result i32)
    (local $byte i32) (local $start i32) (local $hash i32) (local $run i32) (local $value i32) (local $last i32)
    (local $counts i32) (local $touched i32) (local $length i32) (local $count i32) (local $before i32)
    (local.set $counts (i32.load (global.get $COUNTS)))
    (local.set $length (i32.load (global.get $LENGTH)))
    ;; Where the next term goes.
    (local.set $touched (i32.add
      (i32.load (global.get $TOUCHED))
      (i32.shl (i32.load (global.get $FOUND)) (i32.const 2))))
    (local.set $run (i32.const 0))
    (block $stop
      (loop $text
        (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eqz (i32.load8_u offset=64 (local.get $byte)))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $text)))
        (local.set $start (local.get $at))
        (local.set $hash (i32.const 0x811c9dc5))
        (loop $letters
          (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $byte)) (i32.const 0x01000193)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (if (i32.lt_u (local.get $at) (local.get $end))
            (then
              (local.set $byte (i32.load8_u (local.get $at)))
              (br_if $letters (i32.load8_u offset=64 (local.get $byte)))
              ;; A hyphen between two words joins them.
              (if (i32.eq (local.get $byte) (i32.const 45))
                (then (if (i32.lt_u (i32.add (local.get $at) (i32.const 1)) (local.get $end))
                  (then (br_if $letters (i32.load8_u offset=64 (i32.load8_u offset=1 (local.get $at)))))))))))
        (local.set $run (call $find
          (local.get $start)
          (i32.sub (local.get $at) (local.get $start))
          (local.get $hash)
          (local.get $longest)
          (local.get $probes)))
        (if (i32.le_u (local.get $run) (i32.const 1))
          (then
            (i32.store (global.get $START) (local.get $start))
            (i32.store (global.get $END) (local.get $at))
            (i32.store (global.get $HASH) (local.get $hash))
            (local.set $run (i32.add (local.get $run) (i32.const 1)))
            (br $stop)))
        (local.set $value (i32.load offset=12 (local.get $run)))
        (local.set $last (i32.add (local.get $value) (i32.shl (i32.load offset=16 (local.get $run)) (i32.const 2))))
        (loop $values
          (if (i32.lt_u (local.get $value) (local.get $last))
            (then
              (local.set $count
                (i32.add (local.get $counts) (i32.shl (i32.load (local.get $value)) (i32.const 2))))
              (local.set $before (i32.load (local.get $count)))
              (if (i32.eqz (local.get $before))
                (then
                  (i32.store (local.get $touched) (i32.load (local.get $value)))
                  (local.set $touched (i32.add (local.get $touched) (i32.const 4)))))
              (i32.store (local.get $count) (i32.add (local.get $before) (local.get $weight)))
              (local.set $length (i32.add (local.get $length) (local.get $weight)))
              (local.set $value (i32.add (local.get $value) (i32.const 4)))
              (br $values))))
        (local.set $run (i32.const 0))
        (br $text)))
    (i32.store (global.get $LENGTH) (local.get $length))
    (i32.store (global.get $FOUND)
      (i32.shr_u (i32.sub (local.get $touched) (i32.load (global.get $TOUCHED))) (i32.const 2)))
    (local.get $run))

  ;; Writes the terms of the current chunk into the log and starts the next one.
  (func (export "endChunk") (param $chunk i32)
    (local $at i32) (local $last i32) (local $term i32) (local $count i32) (local $weight i32) (local $logged i32)
    (local.set $at (i32.load (global.get $TOUCHED)))
    (local.set $last (i32.add (local.get $at) (i32.shl (i32.load (global.get $FOUND)) (i32.const 2))))
    (local.set $logged (i32.load (global.get $LOGGED)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $last))
        (then
          (local.set $term (i32.load (local.get $at)))
          (local.set $count (i32.add (i32.load (global.get $COUNTS)) (i32.shl (local.get $term) (i32.const 2))))
          (local.set $weight (i32.load (local.get $count)))
          (i32.store (local.get $count) (i32.const 0))
          (i32.store
            (i32.add (i32.load (global.get $LOG_TERMS)) (i32.shl (local.get $logged) (i32.const 2)))
            (local.get $term))
          (i32.store
            (i32.add (i32.load (global.get $LOG_CHUNKS)) (i32.shl (local.get $logged) (i32.const 2)))
            (local.get $chunk))
          (i32.store8
            (i32.add (i32.load (global.get $LOG_WEIGHTS)) (local.get $logged))
            (select (i32.const 255) (local.get $weight) (i32.gt_u (local.get $weight) (i32.const 255))))
          (local.set $logged (i32.add (local.get $logged) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $next))))
    (i32.store (global.get $LOGGED) (local.get $logged))
    (i32.store (global.get $FOUND) (i32.const 0))
    (i32.store (global.get $LENGTH) (i32.const 0))))
