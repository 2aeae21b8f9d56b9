// Questions about the syntax tree (ESTree) of a module.

/** Names that something is assigned to after their declaration, in whatever scope they are. */
export function assignedNames(program) {
  const found = new Set();
  visit(program, (node) => {
    for (const target of targetsOf(node)) for (const name of boundNames(target)) found.add(name);
  });
  return found;
}

function targetsOf({ type, left, argument }) {
  if (type === 'AssignmentExpression') return [left];
  if (type === 'UpdateExpression') return [argument];
  const isLoop = type === 'ForOfStatement' || type === 'ForInStatement';
  return isLoop && left.type !== 'VariableDeclaration' ? [left] : [];
}

/** Names that are declared at the top, or anywhere outside of functions by `var`. */
export function declaredNames(program) {
  const names = [];
  visitOutsideOfFunctions(program, (node, depth) => {
    if (node.type === 'VariableDeclaration' && (depth <= 1 || node.kind === 'var'))
      names.push(...node.declarations.flatMap(({ id }) => boundNames(id)));
    if (/^(Function|Class)Declaration$/.test(node.type) && depth <= 1) names.push(...boundNames(node.id));
  });
  return names;
}

export function hasTopLevelAwait(program) {
  let found = false;
  visitOutsideOfFunctions(program, ({ type, await: isAwaiting }) => {
    found ||= type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwaiting);
  });
  return found;
}

/** The names in a pattern: of `{a, b: [c = 1], ...d}` they are a, c and d. */
function boundNames(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames);
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => boundNames(one.type === 'Property' ? one.value : one));
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

function visit(node, look) {
  look(node);
  for (const child of childrenOf(node)) visit(child, look);
}

/** `depth` is 1 for the statements of the module. */
function visitOutsideOfFunctions(node, look, depth = 0) {
  look(node, depth);
  if (/Function/.test(node.type)) return;
  for (const child of childrenOf(node)) visitOutsideOfFunctions(child, look, depth + 1);
}

function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');
}
