;; Where the time of search and of the built-in embedder goes. Assembled into kernel-bytes.ts by
;; scripts/build-kernel.ts; a test holds the two together.
(module
  (import "host" "memory" (memory 1))

  ;; For each of $count codes of $words times eight bytes: in how many bits it differs from $query, as u16 at $out, and
  ;; how many codes have that distance, as u32 at $histogram. Only where the byte at $allowed and the low bit of the one
  ;; at $present are 1; elsewhere the distance is the highest number there is.
  (func (export "hamming")
    (param $codes i32) (param $count i32) (param $words i32) (param $query i32)
    (param $allowed i32) (param $present i32) (param $out i32) (param $histogram i32)
    (local $end i32) (local $word i32) (local $last i32) (local $size i32) (local $sum i64) (local $slot i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (local.set $size (i32.shl (local.get $words) (i32.const 3)))
    (local.set $last (i32.add (local.get $query) (local.get $size)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (if (i32.and (i32.and (i32.load8_u (local.get $allowed)) (i32.load8_u (local.get $present))) (i32.const 1))
          (then
            (local.set $sum (i64.const 0))
            (local.set $word (local.get $query))
            (loop $each
              (local.set $sum (i64.add (local.get $sum)
                (i64.popcnt (i64.xor (i64.load (local.get $codes)) (i64.load (local.get $word))))))
              (local.set $codes (i32.add (local.get $codes) (i32.const 8)))
              (local.set $word (i32.add (local.get $word) (i32.const 8)))
              (br_if $each (i32.lt_u (local.get $word) (local.get $last))))
            (i32.store16 (local.get $out) (i32.wrap_i64 (local.get $sum)))
            (local.set $slot
              (i32.add (local.get $histogram) (i32.shl (i32.wrap_i64 (local.get $sum)) (i32.const 2))))
            (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1))))
          (else
            (i32.store16 (local.get $out) (i32.const 0xffff))
            (local.set $codes (i32.add (local.get $codes) (local.get $size)))))
        (local.set $allowed (i32.add (local.get $allowed) (i32.const 1)))
        (local.set $present (i32.add (local.get $present) (i32.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (br $next))))

  ;; Writes where among $count distances those are that do not exceed $cut, as u32 at $out; answers how many.
  (func (export "within")
    (param $distances i32) (param $count i32) (param $cut i32) (param $out i32) (result i32)
    (local $at i32) (local $found i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (if (i32.le_u (i32.load16_u (local.get $distances)) (local.get $cut))
          (then
            (i32.store (i32.add (local.get $out) (i32.shl (local.get $found) (i32.const 2))) (local.get $at))
            (local.set $found (i32.add (local.get $found) (i32.const 1)))))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $found))

  ;; For each of $count rows of $dimension signed bytes at $rows: the cosine with the f64 at $query, which have length 1, as
  ;; f64 at $out. Sums are made in order, as JavaScript makes them, so that they are the same to the last bit everywhere.
  (func (export "cosines")
    (param $rows i32) (param $count i32) (param $dimension i32) (param $query i32) (param $out i32)
    (local $end i32) (local $last i32) (local $at i32) (local $byte i32) (local $squares i32) (local $product f64)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $last (i32.add (local.get $query) (i32.shl (local.get $dimension) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $product (f64.const 0))
        (local.set $squares (i32.const 0))
        (local.set $at (local.get $query))
        (loop $each
          (local.set $byte (i32.load8_s (local.get $rows)))
          (local.set $product (f64.add (local.get $product)
            (f64.mul (f64.load (local.get $at)) (f64.convert_i32_s (local.get $byte)))))
          (local.set $squares (i32.add (local.get $squares) (i32.mul (local.get $byte) (local.get $byte))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br_if $each (i32.lt_u (local.get $at) (local.get $last))))
        (if (local.get $squares)
          (then (f64.store (local.get $out)
            (f64.div (local.get $product) (f64.sqrt (f64.convert_i32_s (local.get $squares))))))
          (else (f64.store (local.get $out) (f64.const 0))))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (br $next))))

  ;; Adds $weight times a row of $dimension signed bytes, a multiple of sixteen, to as many f32 at $sum.
  (func (export "addRow") (param $row i32) (param $dimension i32) (param $weight f32) (param $sum i32)
    (local $end i32) (local $bytes v128) (local $half v128) (local $factor v128)
    (local.set $end (i32.add (local.get $row) (local.get $dimension)))
    (local.set $factor (f32x4.splat (local.get $weight)))
    (loop $next
      (local.set $bytes (v128.load (local.get $row)))
      (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
      (v128.store (local.get $sum) (f32x4.add (v128.load (local.get $sum))
        (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
      (v128.store offset=16 (local.get $sum) (f32x4.add (v128.load offset=16 (local.get $sum))
        (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
      (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
      (v128.store offset=32 (local.get $sum) (f32x4.add (v128.load offset=32 (local.get $sum))
        (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
      (v128.store offset=48 (local.get $sum) (f32x4.add (v128.load offset=48 (local.get $sum))
        (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Decodes the $length bytes of a posting list, whose numbers count from $base: chunks as u32 at $chunks, weights as bytes
  ;; at $weights. Leaves out chunks from $count on, and those where the byte at $present is not 1; answers how many are left.
  ;; A list that is cut off goes on with what follows it in memory, at most 6 bytes.
  (func (export "decode")
    (param $bytes i32) (param $length i32) (param $base i32) (param $present i32) (param $count i32)
    (param $chunks i32) (param $weights i32) (result i32)
    (local $end i32) (local $chunk i32) (local $byte i32) (local $gap i32) (local $shift i32) (local $weight i32)
    (local $kept i32)
    (local.set $end (i32.add (local.get $bytes) (local.get $length)))
    (local.set $chunk (i32.sub (local.get $base) (i32.const 1)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $bytes) (local.get $end)))
        (local.set $gap (i32.const 0))
        (local.set $shift (i32.const 0))
        (loop $more
          (local.set $byte (i32.load8_u (local.get $bytes)))
          (local.set $bytes (i32.add (local.get $bytes) (i32.const 1)))
          (local.set $gap (i32.or (local.get $gap)
            (i32.shl (i32.and (local.get $byte) (i32.const 0x7f)) (local.get $shift))))
          (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
          (br_if $more (i32.and
            (i32.ge_u (local.get $byte) (i32.const 0x80)) (i32.lt_u (local.get $shift) (i32.const 35)))))
        (local.set $chunk (i32.add (local.get $chunk)
          (i32.add (i32.shr_u (local.get $gap) (i32.const 1)) (i32.const 1))))
        (local.set $weight (i32.const 2))
        (if (i32.and (local.get $gap) (i32.const 1))
          (then
            (local.set $weight (i32.load8_u (local.get $bytes)))
            (local.set $bytes (i32.add (local.get $bytes) (i32.const 1)))))
        (br_if $next (i32.ge_u (local.get $chunk) (local.get $count)))
        (br_if $next (i32.ne (i32.load8_u (i32.add (local.get $present) (local.get $chunk))) (i32.const 1)))
        (i32.store (i32.add (local.get $chunks) (i32.shl (local.get $kept) (i32.const 2))) (local.get $chunk))
        (i32.store8 (i32.add (local.get $weights) (local.get $kept)) (local.get $weight))
        (local.set $kept (i32.add (local.get $kept) (i32.const 1)))
        (br $next)))
    (local.get $kept))

  ;; Adds the BM25 of a word with $rarity to the f32 at $scores, and $rarity to those at $covered, for each of $count chunks
  ;; at $chunks with the weights at $weights, where the byte at $allowed is 1. Lengths are u16 at $lengths. In the order of
  ;; the operations in `bm25`, so that results are the same to the last bit.
  (func (export "score")
    (param $chunks i32) (param $weights i32) (param $count i32) (param $allowed i32) (param $lengths i32)
    (param $scores i32) (param $covered i32)
    (param $rarity f64) (param $average f64) (param $k1 f64) (param $b f64)
    (local $end i32) (local $chunk i32) (local $place i32) (local $frequency f64)
    (local.set $end (i32.add (local.get $chunks) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $chunks) (local.get $end)))
        (local.set $chunk (i32.load (local.get $chunks)))
        (if (i32.eq (i32.load8_u (i32.add (local.get $allowed) (local.get $chunk))) (i32.const 1))
          (then
            (local.set $frequency
              (f64.div (f64.convert_i32_u (i32.load8_u (local.get $weights))) (f64.const 2)))
            (local.set $place (i32.add (local.get $scores) (i32.shl (local.get $chunk) (i32.const 2))))
            (f32.store (local.get $place) (f32.demote_f64 (f64.add
              (f64.promote_f32 (f32.load (local.get $place)))
              (f64.mul (local.get $rarity)
                (f64.div
                  (f64.mul (local.get $frequency) (f64.add (local.get $k1) (f64.const 1)))
                  (f64.add (local.get $frequency)
                    (f64.mul (local.get $k1)
                      (f64.add (f64.sub (f64.const 1) (local.get $b))
                        (f64.mul (local.get $b)
                          (f64.div
                            (f64.convert_i32_u (i32.load16_u
                              (i32.add (local.get $lengths) (i32.shl (local.get $chunk) (i32.const 1)))))
                            (local.get $average)))))))))))
            (local.set $place (i32.add (local.get $covered) (i32.shl (local.get $chunk) (i32.const 2))))
            (f32.store (local.get $place) (f32.demote_f64
              (f64.add (f64.promote_f32 (f32.load (local.get $place))) (local.get $rarity))))))
        (local.set $chunks (i32.add (local.get $chunks) (i32.const 4)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 1)))
        (br $next))))

  ;; The first place from $at on below $count where the f32 at $values is above $threshold; $count if there is none.
  (func (export "above")
    (param $values i32) (param $count i32) (param $at i32) (param $threshold f32) (result i32)
    (local.set $values (i32.add (local.get $values) (i32.shl (local.get $at) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (br_if $done (f32.gt (f32.load (local.get $values)) (local.get $threshold)))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $at))

  ;; Counts the f32 above zero among $count at $values by their highest bits: a u32 at $sizes for each of 32768 sizes.
  (func (export "countSizes") (param $values i32) (param $count i32) (param $sizes i32)
    (local $end i32) (local $bucket i32)
    (local.set $end (i32.add (local.get $values) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $values) (local.get $end)))
        (if (f32.gt (f32.load (local.get $values)) (f32.const 0))
          (then
            (local.set $bucket (i32.add (local.get $sizes)
              (i32.shl (i32.shr_u (i32.load (local.get $values)) (i32.const 16)) (i32.const 2))))
            (i32.store (local.get $bucket) (i32.add (i32.load (local.get $bucket)) (i32.const 1)))))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (br $next))))

  ;; The highest of $count sizes of which, with all higher ones, there are at least $wanted by the u32 at $sizes; 0 if none.
  (func (export "sizeOfNth") (param $sizes i32) (param $count i32) (param $wanted i32) (result i32)
    (local $seen i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (local.set $seen (i32.add (local.get $seen)
          (i32.load (i32.add (local.get $sizes) (i32.shl (local.get $count) (i32.const 2))))))
        (br_if $next (i32.lt_u (local.get $seen) (local.get $wanted)))))
    (local.get $count))

  ;; The sum of the u16 at $lengths of $count chunks where the byte at $present is 1.
  (func (export "totalLength") (param $present i32) (param $lengths i32) (param $count i32) (result i32)
    (local $end i32) (local $total i32)
    (local.set $end (i32.add (local.get $present) (local.get $count)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $present) (local.get $end)))
        (if (i32.eq (i32.load8_u (local.get $present)) (i32.const 1))
          (then (local.set $total (i32.add (local.get $total) (i32.load16_u (local.get $lengths))))))
        (local.set $present (i32.add (local.get $present) (i32.const 1)))
        (local.set $lengths (i32.add (local.get $lengths) (i32.const 2)))
        (br $next)))
    (local.get $total)))
