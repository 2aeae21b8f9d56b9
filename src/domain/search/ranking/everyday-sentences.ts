/**
 * Sentences of no particular subject. A question that is near to one of them is near to almost anything, so that
 * being near to a chunk says less.
 */
export const EVERYDAY_SENTENCES = [
  'How do I get started?',
  'The results of the study show a significant effect.',
  'This function returns a value.',
  'Fix a bug in the tests.',
  'Cook the onions in a pan until they are soft.',
  'The history of the war and its causes.',
  'Install the package and run the command.',
  'What is the difference between the two?',
  'Patients were treated with a drug.',
  'Click the button to open the menu.',
  'An algorithm for sorting numbers.',
  'The price of shares fell on the market.',
];
