// Types and lint of projects, as in `node .config/lint.ts daemon`. Working out types is most of the work, and `tsc` and
// ESLint would each do it for themselves; here one program serves both. Results are kept in `.cache/`.
import { ESLint, type Linter } from 'eslint';
import path from 'node:path';
import ts from 'typescript';
import { parser } from 'typescript-eslint';
import { ROOT } from './imports.ts';

process.chdir(ROOT);
for (const project of process.argv.slice(2)) {
  const program = readProject(project);
  // Svelte knows the types of components, so svelte-check reports those of the renderer.
  const types = project === 'renderer' ? '' : typeErrors(program);
  const lint = await lintErrors(project, program.getProgram());
  if (types || lint) {
    console.log(types + lint);
    process.exitCode = 1;
  }
}

function readProject(project: string): ts.EmitAndSemanticDiagnosticsBuilderProgram {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(project, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (!config) throw new Error(`There is no ${project}/tsconfig.json.`);
  return ts.createIncrementalProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
  });
}

/** As `tsc -p` reports them, for the project's own files: what it imports of another is checked there. */
function typeErrors(program: ts.EmitAndSemanticDiagnosticsBuilderProgram): string {
  const own = program
    .getProgram()
    .getRootFileNames()
    .map((name) => program.getSourceFile(name));
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
    ...program.emit().diagnostics, // writes what was found for next time; no code, see `noEmit`
  ];
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(found), {
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}

async function lintErrors(project: string, program: ts.Program): Promise<string> {
  const eslint = new ESLint({
    overrideConfigFile: '.config/eslint.config.js',
    overrideConfig: [
      { files: ['**/*.{ts,js,mjs,cjs}'], languageOptions: { parser: parserWithProgram(program) } },
    ],
    cache: true,
    cacheLocation: path.join('.cache', 'eslint', project),
    cacheStrategy: 'content',
    errorOnUnmatchedPattern: false,
  });
  const files = [...program.getRootFileNames(), `${project}/**/*.svelte`];
  const formatter = await eslint.loadFormatter();
  return formatter.format(await eslint.lintFiles(files));
}

/** The program is no option of the parser, because ESLint writes those down as the key of its cache. */
function parserWithProgram(program: ts.Program): Linter.Parser {
  const options = { projectService: false, programs: [program] };
  const { parseForESLint } = parser as {
    parseForESLint(text: string, options: object): Linter.ESLintParseResult; // declared without its options
  };
  return {
    meta: { name: 'parser-with-program', version: ts.version },
    parseForESLint: (text, given: object) => parseForESLint(text, { ...given, ...options }),
  };
}
