# Homebrew's formula. `npm run package` fills in version and digest and writes it to build/packaging.
class Ken < Formula
  desc "Knowledge base for you and your AI assistant: local first, cited, checked"
  homepage "https://github.com/ken-kb/ken"
  url "https://github.com/ken-kb/ken/releases/download/v@VERSION@/ken-kb-ken-@VERSION@.tgz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
    man1.install_symlink Dir["#{libexec}/lib/node_modules/@ken-kb/ken/dist/man/*.1"]
    generate_completions_from_executable(bin/"ken", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ken --version")
    system bin/"ken", "init", "-q", testpath
    assert_match "Writing subjects", shell_output("#{bin}/ken learn project writing-subjects")
  end
end
