using System.Diagnostics;

namespace IoBench.Engine.Tests;

public abstract class TargetTestBase : IDisposable
{
    protected const long MB = 1 << 20;

    protected TargetTestBase()
        : this(Path.GetTempPath()) { }

    protected TargetTestBase(string parent)
    {
        Folder = Path.Combine(parent, "iobench-" + Guid.NewGuid().ToString("N")[..12]);
        Directory.CreateDirectory(Folder);
    }

    protected string Folder { get; }

    protected string GetPath(string name) => Path.Combine(Folder, name);

    protected static IoTestSpecification CreateSpecification(string path, long? size = MB, int writePercent = 0) =>
        new()
        {
            FileSize = size,
            WritePercent = writePercent,
            Targets = [new IoTargetSpecification(path)],
        };

    protected static CheckedTarget PrepareFile(
        string path,
        long? size = MB,
        int writePercent = 0,
        bool allowAll = false,
        string? erase = null
    )
    {
        var spec = CreateSpecification(path, size, writePercent);
        return TestFiles.Prepare(spec, spec.Targets[0], CreateOptions(path, allowAll, erase), null, CancellationToken.None);
    }

    private protected static WritingRun StartWriting(
        string path,
        long? size = MB,
        bool allowAll = false,
        ulong? seed = null,
        IReadOnlyList<OpenTarget>? others = null
    ) => new(CreateSpecification(path, size, writePercent: 100), CreateOptions(path, allowAll), others, seed);

    protected static CheckedTarget CheckTarget(
        string path,
        long? size = MB,
        int writePercent = 0,
        bool allowAll = false,
        bool allowSqlServerRead = false,
        string? erase = null
    )
    {
        var spec = CreateSpecification(path, size, writePercent);
        return TestFiles.Check(spec, spec.Targets[0], CreateOptions(path, allowAll, erase, allowSqlServerRead));
    }

    private protected static CheckedTarget CheckDevice(string path, string? erase = null)
    {
        var spec = CreateSpecification(path, size: null, writePercent: 100);
        return TargetCheck.Check(spec, spec.Targets[0], CreateOptions(path, allowAll: erase is null, erase));
    }

    private protected static Microsoft.Win32.SafeHandles.SafeFileHandle OpenDeviceForWriting(CheckedTarget device) =>
        RawDevice.OpenForWriting(device.Path, device.DeviceToWrite);

    private static TestRunOptions CreateOptions(string path, bool allowAll, string? erase = null, bool allowSqlServerRead = false)
    {
        if (allowAll)
            return AllPermissions.For(path);
        return new TestRunOptions
        {
            Permissions = new TargetPermissions { EraseDevices = erase is null ? [] : [erase], ReadDatabase = allowSqlServerRead },
        };
    }

    protected static IoBenchException AssertRefused(string id, Action action)
    {
        var refusal = Assert.Throws<IoBenchException>(action);
        Assert.Equal(id, refusal.ErrorId);
        Assert.DoesNotContain('\n', refusal.Message);
        Assert.EndsWith(".", refusal.Message);
        return refusal;
    }

    protected static string AssertNotOwned(string path)
    {
        Assert.False(TestFiles.IsOwnTestFile(path, out var reason));
        return reason;
    }

    protected static void AssertOwned(string path) => Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);

    protected string CreateUnownedFile(string name, int bytes = 65536)
    {
        var content = new byte[bytes];
        new Random(1).NextBytes(content);
        File.WriteAllBytes(GetPath(name), content);
        return GetPath(name);
    }

    protected static string RunShell(string command)
    {
        using var shell = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", command]) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        var output = shell.StandardOutput.ReadToEnd() + shell.StandardError.ReadToEnd();
        shell.WaitForExit();
        Assert.True(shell.ExitCode == 0, $"{command}: {output}");
        return output.Trim();
    }

    protected static string DescribeFile(string path) =>
        RunShell($"stat -c '%i %s %Y %y %Z %z %a %h' '{path}'; sha256sum < '{path}'; getfattr -d -m - '{path}' 2>/dev/null || true");

    /// <summary>Releases what a test uses before the folder is deleted.</summary>
    protected virtual void ReleaseResources() { }

    public void Dispose()
    {
        ReleaseResources();
        Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }
}
