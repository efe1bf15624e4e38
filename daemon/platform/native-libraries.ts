/** Systems for which the makers of a native library publish a build; a test compares the lists with the packages. */
const BUILDS = {
  'sqlite-vec': ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'],
  'onnxruntime-node': ['darwin-arm64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'],
} as const;
export type NativeLibrary = keyof typeof BUILDS;

const CONSEQUENCES: Record<NativeLibrary, string> = {
  'sqlite-vec': 'vectors are compared in JavaScript, which is slower',
  'onnxruntime-node': 'models cannot run, and search matches words only',
};

/** The consequence for a person when a library has no build for this system; null when it has one. */
export function missingBuild(
  library: NativeLibrary,
  system: string = process.platform,
  arch: string = process.arch,
): string | null {
  const builds: readonly string[] = BUILDS[library];
  if (builds.includes(`${system}-${arch}`)) return null;
  return `${library} has no build for ${system}-${arch}: ${CONSEQUENCES[library]}`;
}
