using System.Diagnostics;

namespace IoBench.Tests;

/// <summary>A mounted FUSE file system that injects faults (faulty_disk.py). Disposing it unmounts and deletes it.</summary>
internal sealed class FaultyDisk : IDisposable
{
    public const string Python = "/usr/bin/python3";
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-fuse-").FullName;
    private readonly string _script;
    private Process _server;

    public FaultyDisk(string script = "faulty_disk.py")
    {
        _script = script;
        BackingFolder = Directory.CreateDirectory(System.IO.Path.Combine(_folder, "behind")).FullName;
        MountFolder = Directory.CreateDirectory(System.IO.Path.Combine(_folder, "mount")).FullName;
        File.WriteAllText(System.IO.Path.Combine(BackingFolder, "is-mounted"), "");
        _server = StartServer();
    }

    private Process StartServer()
    {
        var server = Process.Start(
            new ProcessStartInfo(
                Python,
                [System.IO.Path.Combine(SampleFiles.RepositoryRoot, "Tests", "Shared", _script), BackingFolder, MountFolder]
            )
            {
                RedirectStandardError = true,
            }
        )!;
        // Read the errors as they come, because a full pipe would block the file system.
        var said = new System.Text.StringBuilder();
        server.ErrorDataReceived += (_, line) => said.AppendLine(line.Data);
        server.BeginErrorReadLine();
        for (var i = 0; !File.Exists(System.IO.Path.Combine(MountFolder, "is-mounted")); i++)
        {
            Assert.False(server.HasExited, said.ToString());
            Assert.True(i < 1000, "The file system was not mounted.");
            Thread.Sleep(10);
        }
        return server;
    }

    /// <summary>
    /// Simulates a power failure: unwritten data in memory is lost. Then the file system is mounted again with the data that was written
    /// before.
    /// </summary>
    public void CutPower()
    {
        _server.Kill();
        _server.WaitForExit();
        Unmount();
        _server.Dispose();
        _server = StartServer();
    }

    private void Unmount()
    {
        using var unmount = Process.Start(new ProcessStartInfo("fusermount", ["-u", "-z", MountFolder]) { RedirectStandardError = true })!;
        unmount.WaitForExit();
    }

    public string BackingFolder { get; }

    public string MountFolder { get; }

    public string GetPath(string name) => System.IO.Path.Combine(MountFolder, name);

    /// <summary>Replaces the fault rules, such as <c>read-delay-ms 5</c>. They apply from the next I/O.</summary>
    public void SetRules(params string[] rules)
    {
        var path = System.IO.Path.Combine(BackingFolder, ".faults");
        File.WriteAllLines(path + ".new", rules);
        File.Move(path + ".new", path, overwrite: true);
    }

    public void WaitForHungCall()
    {
        var sign = System.IO.Path.Combine(BackingFolder, ".hanging");
        for (var i = 0; !File.Exists(sign); i++)
        {
            Assert.True(i < 6000, "Nothing hangs.");
            Thread.Sleep(10);
        }
    }

    public void Dispose()
    {
        SetRules();
        Unmount();
        if (!_server.WaitForExit(5000))
            _server.Kill();
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class FuseFactAttribute : FactAttribute
{
    public FuseFactAttribute(string? notByWine = null)
    {
        if (notByWine is not null && TestedProgram.UsesWine)
            Skip = notByWine;
        else if (
            !File.Exists("/dev/fuse")
            || !File.Exists(FaultyDisk.Python)
            || !File.Exists("/usr/lib/python3/dist-packages/fusepy.py") && !File.Exists("/usr/lib/python3/dist-packages/fuse.py")
            || ProgramFinder.FindOnPath("fusermount") is null
        )
            Skip = "needs /dev/fuse, fusermount and python3-fusepy";
    }
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class FuseTheoryAttribute : TheoryAttribute
{
    public FuseTheoryAttribute(string? notByWine = null) => Skip = new FuseFactAttribute(notByWine).Skip;
}
