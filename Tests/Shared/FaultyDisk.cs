using System.Diagnostics;

namespace IoBench.Tests;

/// <summary>A mounted file system that misbehaves on request (faulty_disk.py); unmounted and gone after the test.</summary>
internal sealed class FaultyDisk : IDisposable
{
    public const string Python = "/usr/bin/python3";
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-fuse-").FullName;
    private readonly string _script;
    private Process _server;

    public FaultyDisk(string script = "faulty_disk.py")
    {
        _script = script;
        Behind = Directory.CreateDirectory(System.IO.Path.Combine(_folder, "behind")).FullName;
        Mount = Directory.CreateDirectory(System.IO.Path.Combine(_folder, "mount")).FullName;
        File.WriteAllText(System.IO.Path.Combine(Behind, "is-mounted"), "");
        _server = Start();
    }

    private Process Start()
    {
        var server = Process.Start(
            new ProcessStartInfo(Python, [System.IO.Path.Combine(Samples.Root, "Tests", "Shared", _script), Behind, Mount])
            {
                RedirectStandardError = true,
            }
        )!;
        // Read as it comes: a full pipe would stop the file system.
        var said = new System.Text.StringBuilder();
        server.ErrorDataReceived += (_, line) => said.AppendLine(line.Data);
        server.BeginErrorReadLine();
        for (var i = 0; !File.Exists(System.IO.Path.Combine(Mount, "is-mounted")); i++)
        {
            Assert.False(server.HasExited, said.ToString());
            Assert.True(i < 1000, "The file system was not mounted.");
            Thread.Sleep(10);
        }
        return server;
    }

    /// <summary>The power goes: what the file system kept in memory is lost. It comes back with what was written before.</summary>
    public void CutPower()
    {
        _server.Kill();
        _server.WaitForExit();
        Unmount();
        _server.Dispose();
        _server = Start();
    }

    private void Unmount()
    {
        using var unmount = Process.Start(new ProcessStartInfo("fusermount", ["-u", "-z", Mount]) { RedirectStandardError = true })!;
        unmount.WaitForExit();
    }

    /// <summary>The folder that holds the files really.</summary>
    public string Behind { get; }

    /// <summary>The folder where it is mounted.</summary>
    public string Mount { get; }

    /// <summary>A file on it.</summary>
    public string Path(string name) => System.IO.Path.Combine(Mount, name);

    /// <summary>Replaces the rules of misbehaviour, such as <c>read-delay-ms 5</c>; they hold from the next I/O.</summary>
    public void Rules(params string[] rules)
    {
        var path = System.IO.Path.Combine(Behind, ".faults");
        File.WriteAllLines(path + ".new", rules);
        File.Move(path + ".new", path, overwrite: true);
    }

    /// <summary>Waits until a call hangs, by a rule that was set before.</summary>
    public void WaitUntilSomethingHangs()
    {
        var sign = System.IO.Path.Combine(Behind, ".hanging");
        for (var i = 0; !File.Exists(sign); i++)
        {
            Assert.True(i < 6000, "Nothing hangs.");
            Thread.Sleep(10);
        }
    }

    public void Dispose()
    {
        Rules();
        Unmount();
        if (!_server.WaitForExit(5000))
            _server.Kill();
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}

/// <summary>A fact that needs FUSE and Debian's python3-fusepy.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class FuseFactAttribute : FactAttribute
{
    public FuseFactAttribute(string? notByWine = null)
    {
        if (notByWine is not null && TestedProgram.IsByWine)
            Skip = notByWine;
        else if (
            !File.Exists("/dev/fuse")
            || !File.Exists(FaultyDisk.Python)
            || !File.Exists("/usr/lib/python3/dist-packages/fusepy.py") && !File.Exists("/usr/lib/python3/dist-packages/fuse.py")
            || Tool.Find("fusermount") is null
        )
            Skip = "needs /dev/fuse, fusermount and python3-fusepy";
    }
}

/// <summary>A theory that needs FUSE.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class FuseTheoryAttribute : TheoryAttribute
{
    public FuseTheoryAttribute(string? notByWine = null) => Skip = new FuseFactAttribute(notByWine).Skip;
}
