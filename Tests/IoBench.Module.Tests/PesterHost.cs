using System.Diagnostics;
using System.IO.Pipes;
using System.Text;
using System.Text.Json;

namespace IoBench.Module.Tests;

/// <summary>Runs Pester files, one after the other, in one pwsh: it starts once, and imports Pester and the module once.</summary>
public sealed class PesterHost : IDisposable
{
    private readonly Lazy<PesterProcess> _process = new(() => new PesterProcess());

    /// <summary>Where the Pester files are.</summary>
    public static string Folder { get; } = Path.Combine(IoBench.Tests.SampleFiles.RepositoryRoot, "Tests", "Module");

    /// <summary>Runs a file of the folder, by its name without .Tests.ps1.</summary>
    /// <exception cref="IOException">pwsh ended.</exception>
    internal IAsyncEnumerable<PesterResult> Run(string file) => _process.Value.Run(Path.Combine(Folder, file + ".Tests.ps1"));

    public void Dispose()
    {
        if (_process.IsValueCreated)
            _process.Value.Dispose();
    }
}

internal sealed class PesterProcess : IDisposable
{
    // A process that starts inherits the ends of pipes that are for another one, and would keep them open.
    private static readonly object s_start = new();

    // Short: the name of a socket has at most 107 characters.
    private readonly string _folder = Directory.CreateTempSubdirectory("iob-").FullName;
    private readonly StringBuilder _output = new();
    private readonly StreamWriter _writer;
    private readonly StreamReader _reader;
    private readonly Process _process;

    public PesterProcess()
    {
        lock (s_start)
        {
            // Pipes of their own, because tests write to standard output and child processes read standard input.
            var files = new AnonymousPipeServerStream(PipeDirection.Out, HandleInheritability.Inheritable);
            var results = new AnonymousPipeServerStream(PipeDirection.In, HandleInheritability.Inheritable);
            _writer = new StreamWriter(files) { AutoFlush = true };
            _reader = new StreamReader(results);
            _process = Process.Start(
                TestPowerShell.StartInfo(
                    _folder,
                    "-File",
                    Path.Combine(PesterHost.Folder, "Start-PesterHost.ps1"),
                    "-Pester",
                    TestPowerShell.Pester,
                    "-FilePipe",
                    files.GetClientHandleAsString(),
                    "-ResultPipe",
                    results.GetClientHandleAsString()
                )
            )!;
            files.DisposeLocalCopyOfClientHandle();
            results.DisposeLocalCopyOfClientHandle();
        }
        _process.StandardInput.Close();
        _process.OutputDataReceived += Add;
        _process.ErrorDataReceived += Add;
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public async IAsyncEnumerable<PesterResult> Run(string file)
    {
        await _writer.WriteLineAsync(file);
        while (true)
        {
            var line = await _reader.ReadLineAsync() ?? throw new IOException($"pwsh ended while it ran {file}:\n{Output}");
            var result = JsonSerializer.Deserialize<PesterResult>(line)!;
            if (result.Outcome is null)
                yield break;
            yield return result;
        }
    }

    private string Output
    {
        get
        {
            _process.WaitForExit(TimeSpan.FromSeconds(5));
            lock (_output)
                return _output.ToString();
        }
    }

    public void Dispose()
    {
        // The end of the pipe ends the script.
        _writer.Dispose();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(30)))
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
        _reader.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private void Add(object sender, DataReceivedEventArgs line)
    {
        lock (_output)
            _output.AppendLine(line.Data);
    }
}
