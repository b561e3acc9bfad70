using System.Buffers.Binary;
using System.Net.Sockets;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

/// <summary>Invalid output paths are refused before anything runs, even with force, and stay unchanged.</summary>
public sealed class OutputPathTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-output-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("t.mdf")]
    [InlineData("t.NDF")]
    [InlineData("t.ldf")]
    [InlineData("t.bak")]
    [InlineData("t.trn")]
    public void The_name_of_a_SQL_Server_file(string name) => AssertRefused("IoBench.SqlServerFile", At(name));

    [Fact]
    public void The_content_of_a_SQL_Server_file()
    {
        File.WriteAllBytes(At("r.json"), DataFile());
        AssertRefused("IoBench.SqlServerFile", At("r.json"));
        Assert.Equal(DataFile(), File.ReadAllBytes(At("r.json")));
    }

    [LinuxFact]
    public void Links_are_followed_once_and_what_they_lead_to_counts()
    {
        File.WriteAllText(At("db.mdf"), "precious");
        File.CreateSymbolicLink(At("to-mdf.json"), "db.mdf");
        AssertRefused("IoBench.SqlServerFile", At("to-mdf.json"));
        File.CreateSymbolicLink(At("middle.mdf"), At("target.json"));
        File.CreateSymbolicLink(At("by-middle.json"), At("middle.mdf"));
        File.WriteAllText(At("target.json"), "old");
        AssertRefused("IoBench.SqlServerFile", At("by-middle.json"));
        File.CreateSymbolicLink(At("dangling.json"), At("nothing.json"));
        AssertRefused("IoBench.BadLink", At("dangling.json"));
        File.CreateSymbolicLink(At("circle.json"), At("circle.json"));
        AssertRefused("IoBench.BadLink", At("circle.json"));
        File.CreateSymbolicLink(At("to-device.json"), "/dev/null");
        AssertRefused("IoBench.NotAFile", At("to-device.json"));

        File.CreateSymbolicLink(At("latest.json"), "target.json");
        using (var file = OutputFile.Claim(new OutputRequest(At("latest.json")) { MayExist = true }))
        {
            // A later change of the link does not matter.
            File.Delete(At("latest.json"));
            File.CreateSymbolicLink(At("latest.json"), "db.mdf");
            file.Save(stream => stream.Write("new"u8));
        }
        Assert.Equal("new", File.ReadAllText(At("target.json")));
        Assert.Equal("precious", File.ReadAllText(At("db.mdf")));
    }

    [LinuxFact]
    public void A_link_with_dots_behind_a_link_to_a_folder_leads_where_the_system_says()
    {
        Directory.CreateDirectory(At("real/inner"));
        File.WriteAllText(At("real/r.json"), "old");
        File.WriteAllText(At("r.json"), "not meant");
        Directory.CreateSymbolicLink(At("way"), At("real/inner"));
        File.CreateSymbolicLink(At("real/inner/latest.json"), "../r.json");
        using (var file = OutputFile.Claim(new OutputRequest(At("way/latest.json")) { MayExist = true }))
            file.Save(stream => stream.Write("new"u8));
        Assert.Equal("new", File.ReadAllText(At("real/r.json")));
        Assert.Equal("not meant", File.ReadAllText(At("r.json")));
    }

    [LinuxFact]
    public void Pipes_sockets_devices_streams_and_folders()
    {
        Links.Pipe(At("pipe.json"));
        AssertRefused("IoBench.NotAFile", At("pipe.json"));
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(At("socket.json")));
        AssertRefused("IoBench.NotAFile", At("socket.json"));
        foreach (var path in new[] { "/dev/null", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1" })
            AssertRefused("IoBench.NotAFile", path);
        Directory.CreateDirectory(At("folder.json"));
        AssertRefused("IoBench.InvalidOutputPath", At("folder.json"));
        AssertRefused("IoBench.InvalidOutputPath", At("no") + "/");
        AssertRefused("IoBench.FolderNotFound", At("no/r.json"));
        AssertRefused("IoBench.NotWritable", "/proc/r.json");
        AssertRefused("IoBench.InvalidOutputPath", "");
    }

    [Fact]
    public void The_test_file_of_the_run_by_whatever_name()
    {
        File.WriteAllText(At("t.json"), "a test file");
        AssertIsTestFile(At("t.json"), At("t.json"));
        AssertIsTestFile(At("new.json"), At("new.json"));
        // A modeled device has no file.
        RunOutputs.Claim(At("new.json"), ResultFormat.Json, false, null, true, [Plan(At("new.json"), NullBackend.Name)]).Dispose();
        if (OperatingSystem.IsLinux())
        {
            Links.Hard(At("t.json"), At("second.json"));
            AssertIsTestFile(At("second.json"), At("t.json"));
            File.CreateSymbolicLink(At("link.json"), At("t.json"));
            AssertIsTestFile(At("link.json"), At("t.json"));
            AssertIsTestFile(At("t.json"), At("link.json"));
            Directory.CreateSymbolicLink(At("here"), _folder);
            AssertIsTestFile(At("new.json"), At("here/new.json"));
        }
        Assert.False(File.Exists(At("new.json")));
        Assert.Equal("a test file", File.ReadAllText(At("t.json")));
    }

    [Fact]
    public void Results_and_report_in_one_file()
    {
        foreach (var second in new[] { At("r.html"), Path.Combine(_folder, ".", "r.html") })
        {
            var error = Assert.Throws<IoBenchException>(() => RunOutputs.Claim(At("r.html"), ResultFormat.Json, false, second, true, []));
            Assert.Contains("cannot be both the results and the report", error.Message);
        }
        Assert.Empty(Directory.GetFiles(_folder));
    }

    private static void AssertIsTestFile(string output, string target)
    {
        var error = Assert.Throws<IoBenchException>(() => RunOutputs.Claim(output, ResultFormat.Json, false, null, true, [Plan(target)]));
        Assert.Equal(("IoBench.OutputIsTestFile", 2), (error.ErrorId, error.ExitCode));
        var report = Path.ChangeExtension(output, ".html");
        if (File.Exists(output))
            return;
        Assert.Equal(
            "IoBench.OutputIsTestFile",
            Assert
                .Throws<IoBenchException>(() =>
                    RunOutputs.Claim(null, ResultFormat.Json, false, report, true, [Plan(Path.ChangeExtension(target, ".html"))])
                )
                .ErrorId
        );
        Assert.False(File.Exists(report));
    }

    private static IoTestSpecification Plan(string path, string backend = BackendCatalog.Auto)
    {
        var test = new IoTestSpecification { Backend = backend };
        test.Targets.Add(new IoTargetSpecification(path));
        return test;
    }

    private static void AssertRefused(string id, string path)
    {
        var error = Assert.Throws<IoBenchException>(() => OutputFile.Claim(new OutputRequest(path) { MayExist = true }));
        Assert.True(error.ErrorId == id && error.ExitCode == 2, $"{path}: {error.ErrorId}: {error.Message}");
    }

    private string At(string name) => Path.Combine(_folder, name);

    private static byte[] DataFile()
    {
        const int page = 8192;
        var bytes = new byte[3 * page];
        foreach (var (number, type) in new[] { (0, 15), (1, 11), (2, 8) })
        {
            bytes[number * page] = 1;
            bytes[number * page + 1] = (byte)type;
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(number * page + 32), (uint)number);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(number * page + 36), 1);
        }
        return bytes;
    }
}
