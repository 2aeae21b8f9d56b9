/** Text that tries to run when a page shows it. */
export const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src="http://evil.example/a.png" onerror="window.ran = 2">',
  '<svg onload="window.ran = 3"></svg>',
  '"><a href="javascript:window.ran=4" autofocus onfocus="window.ran=5">x</a>',
  '[x](javascript:window.ran=6) [y](data:text/html,<script>window.ran=7</script>) ![z](http://evil.example/b.png)',
  '</title></textarea></pre></style><iframe src="http://evil.example/"></iframe>',
  '&lt;script&gt;window.ran = 8&lt;/script&gt;',
  '[a](JaVaScRiPt:window.ran=14) [b](\u0001javascript:window.ran=15) [c](java\tscript:window.ran=16)',
  '[d]: vbscript:window.ran=17\n\n[d] <javascript:window.ran=18> [e](//evil.example/c) [f](\\\\evil.example/d)',
  '[g](ken://kb/x/y"onmouseover="window.ran=19) [h](ken:javascript:window.ran=20)',
  '```html\n<script>window.ran = 21</script>\n``` `<img src=x onerror=window.ran=22>`',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=window.ran=23></style></mglyph></math>',
].join('\n\n');
