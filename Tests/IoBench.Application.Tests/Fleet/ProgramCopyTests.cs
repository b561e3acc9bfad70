using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Runs the script in local processes instead of on hosts, with a shell script as the program.</summary>
public sealed class ProgramCopyTests : IDisposable
{
    private readonly TemporaryFleetFolder _folder = new();
    private readonly string? _cache = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");

    // Only these tests use the folder of copied programs, so no other test reads this variable.
    public ProgramCopyTests() => Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _folder.GetPath("cache"));

    public void Dispose()
    {
        Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _cache);
        _folder.Dispose();
    }

    private string Place => _folder.GetPath("cache/iobench/fleet");

    private static FleetHost CreateHost(string name) => new() { Name = name, IsLocal = true };

    /// <summary>Creates a program that sends a hello message and an end message like a member.</summary>
    private ProgramFile CreateProgram() =>
        ProgramFile.FromPath(_folder.WriteFile("iobench", "#!/bin/sh\necho '{\"state\":\"Hello\"}'\necho '{\"state\":\"End\"}'\n"));

    [LinuxFact]
    public void Program_is_copied_once_and_replaced_if_damaged()
    {
        var program = CreateProgram();
        var copy = Path.Combine(Place, "iobench-" + program.Hash);
        Assert.Contains(RunMember(program), message => message.State == MemberMessageKind.Hello);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        var made = File.GetLastWriteTimeUtc(copy);
        RunMember(program);
        Assert.Equal(made, File.GetLastWriteTimeUtc(copy));
        File.AppendAllText(copy, "exit 1\n");
        Assert.Contains(RunMember(program), message => message.State == MemberMessageKind.End);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        Assert.Equal([copy], Directory.GetFiles(Place));
    }

    [LinuxFact]
    public void Program_that_requires_other_files_throws()
    {
        var program = _folder.WriteFile("tool", "");
        _folder.WriteFile("tool.runtimeconfig.json", "{}");
        Assert.Equal(FleetErrorIds.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.FromPath(program)).ErrorId);
        Assert.Equal(FleetErrorIds.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.FromPath(program + "none")).ErrorId);
    }

    private static List<MemberMessage> RunMember(ProgramFile program)
    {
        var ear = new MessageRecorder();
        using (new ProcessConnection(new HostWorkload(CreateHost("a"), []), "g", "iobench", program, ear.OnLine, _ => ear.Closed.Set()))
            Assert.True(ear.Closed.Wait(TimeSpan.FromMinutes(2)));
        return [.. ear.Lines.Select(FleetMessageSerializer.ParseMessage).OfType<MemberMessage>()];
    }

    private sealed class MessageRecorder
    {
        public ConcurrentQueue<string> Lines { get; } = new();
        public ManualResetEventSlim Closed { get; } = new();

        public void OnLine(ReadOnlyMemory<byte> line) => Lines.Enqueue(System.Text.Encoding.UTF8.GetString(line.Span));
    }
}
