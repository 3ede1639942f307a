// The rules for these modules. The linter is in testdata/npm, with what the tests load.
const npm = require('node:module').createRequire(require('node:path').join(__dirname, '../../../../testdata/npm/package.json'));

module.exports = [
  { ignores: ['*.cjs'] },
  npm('@eslint/js').configs.recommended,
  {
    files: ['*.js'],
    languageOptions: { globals: { ...npm('globals').browser, make: 'readonly', boot: 'readonly', __arrived: 'readonly' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-control-regex': 'off', // they mark, in our own texts, what is no text
      'no-shadow-restricted-names': 'error',
      'no-use-before-define': 'off', // a module may begin with what it exports; modules_test.go runs them
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-arrow-callback': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
];
