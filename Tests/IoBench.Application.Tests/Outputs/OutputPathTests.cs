using System.Buffers.Binary;
using System.Net.Sockets;
using IoBench.Engine;

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
    public void Name_of_a_SQL_Server_file_is_refused(string name) => AssertRefused("IoBench.SqlServerFile", GetPath(name));

    [Fact]
    public void Content_of_a_SQL_Server_file_is_refused()
    {
        File.WriteAllBytes(GetPath("r.json"), CreateDataFileHeader());
        AssertRefused("IoBench.SqlServerFile", GetPath("r.json"));
        Assert.Equal(CreateDataFileHeader(), File.ReadAllBytes(GetPath("r.json")));
    }

    [LinuxFact]
    public void Link_is_resolved_once_and_its_target_is_checked()
    {
        File.WriteAllText(GetPath("db.mdf"), "precious");
        File.CreateSymbolicLink(GetPath("to-mdf.json"), "db.mdf");
        AssertRefused("IoBench.SqlServerFile", GetPath("to-mdf.json"));
        File.CreateSymbolicLink(GetPath("middle.mdf"), GetPath("target.json"));
        File.CreateSymbolicLink(GetPath("by-middle.json"), GetPath("middle.mdf"));
        File.WriteAllText(GetPath("target.json"), "[]");
        AssertRefused("IoBench.SqlServerFile", GetPath("by-middle.json"));
        File.CreateSymbolicLink(GetPath("dangling.json"), GetPath("nothing.json"));
        AssertRefused("IoBench.BadLink", GetPath("dangling.json"));
        File.CreateSymbolicLink(GetPath("circle.json"), GetPath("circle.json"));
        AssertRefused("IoBench.BadLink", GetPath("circle.json"));
        File.CreateSymbolicLink(GetPath("to-device.json"), "/dev/null");
        AssertRefused("IoBench.NotAFile", GetPath("to-device.json"));

        File.CreateSymbolicLink(GetPath("latest.json"), "target.json");
        using (var file = OutputFile.Reserve(GetPath("latest.json"), mayExist: true))
        {
            // A later change of the link does not matter.
            File.Delete(GetPath("latest.json"));
            File.CreateSymbolicLink(GetPath("latest.json"), "db.mdf");
            file.Save(stream => stream.Write("new"u8));
        }
        Assert.Equal("new", File.ReadAllText(GetPath("target.json")));
        Assert.Equal("precious", File.ReadAllText(GetPath("db.mdf")));
    }

    [LinuxFact]
    public void Relative_link_in_a_linked_folder_is_resolved_like_the_system_does()
    {
        Directory.CreateDirectory(GetPath("real/inner"));
        File.WriteAllText(GetPath("real/r.json"), "[]");
        File.WriteAllText(GetPath("r.json"), "not meant");
        Directory.CreateSymbolicLink(GetPath("way"), GetPath("real/inner"));
        File.CreateSymbolicLink(GetPath("real/inner/latest.json"), "../r.json");
        using (var file = OutputFile.Reserve(GetPath("way/latest.json"), mayExist: true))
            file.Save(stream => stream.Write("new"u8));
        Assert.Equal("new", File.ReadAllText(GetPath("real/r.json")));
        Assert.Equal("not meant", File.ReadAllText(GetPath("r.json")));
    }

    [LinuxFact]
    public void Pipes_sockets_devices_streams_and_folders_are_refused()
    {
        FileLinks.CreatePipe(GetPath("pipe.json"));
        AssertRefused("IoBench.NotAFile", GetPath("pipe.json"));
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(GetPath("socket.json")));
        AssertRefused("IoBench.NotAFile", GetPath("socket.json"));
        foreach (var path in new[] { "/dev/null", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1" })
            AssertRefused("IoBench.NotAFile", path);
        Directory.CreateDirectory(GetPath("folder.json"));
        AssertRefused("IoBench.InvalidOutputPath", GetPath("folder.json"));
        AssertRefused("IoBench.InvalidOutputPath", GetPath("no") + "/");
        AssertRefused("IoBench.FolderNotFound", GetPath("no/r.json"));
        AssertRefused("IoBench.NotWritable", "/proc/r.json");
        AssertRefused("IoBench.InvalidOutputPath", "");
    }

    [Fact]
    public void Test_file_of_the_run_is_refused_by_any_name()
    {
        File.WriteAllText(GetPath("t.json"), "[]");
        AssertIsTestFile(GetPath("t.json"), GetPath("t.json"));
        AssertIsTestFile(GetPath("new.json"), GetPath("new.json"));
        // A modeled device has no file.
        RunOutputs
            .Reserve(
                new OutputRequest { OutputPath = GetPath("new.json"), Force = true },
                [CreateTest(GetPath("new.json"), NullBackend.Name)]
            )
            .Dispose();
        if (OperatingSystem.IsLinux())
        {
            FileLinks.CreateHardLink(GetPath("t.json"), GetPath("second.json"));
            AssertIsTestFile(GetPath("second.json"), GetPath("t.json"));
            File.CreateSymbolicLink(GetPath("link.json"), GetPath("t.json"));
            AssertIsTestFile(GetPath("link.json"), GetPath("t.json"));
            AssertIsTestFile(GetPath("t.json"), GetPath("link.json"));
            Directory.CreateSymbolicLink(GetPath("here"), _folder);
            AssertIsTestFile(GetPath("new.json"), GetPath("here/new.json"));
        }
        Assert.False(File.Exists(GetPath("new.json")));
        Assert.Equal("[]", File.ReadAllText(GetPath("t.json")));
    }

    [Fact]
    public void Results_and_report_in_one_file_are_refused()
    {
        foreach (var second in new[] { GetPath("r.html"), Path.Combine(_folder, ".", "r.html") })
        {
            var error = Assert.Throws<IoBenchException>(() =>
                RunOutputs.Reserve(
                    new OutputRequest
                    {
                        OutputPath = GetPath("r.html"),
                        ReportPath = second,
                        Force = true,
                    }
                )
            );
            Assert.Contains("cannot be both the results file and the report", error.Message);
        }
        Assert.Empty(Directory.GetFiles(_folder));
    }

    private static void AssertIsTestFile(string output, string target)
    {
        var error = Assert.Throws<IoBenchException>(() =>
            RunOutputs.Reserve(new OutputRequest { OutputPath = output, Force = true }, [CreateTest(target)])
        );
        Assert.Equal(("IoBench.OutputIsTestFile", 2), (error.ErrorId, error.ExitCode));
        var report = Path.ChangeExtension(output, ".html");
        if (File.Exists(output))
            return;
        Assert.Equal(
            "IoBench.OutputIsTestFile",
            Assert
                .Throws<IoBenchException>(() =>
                    RunOutputs.Reserve(
                        new OutputRequest { ReportPath = report, Force = true },
                        [CreateTest(Path.ChangeExtension(target, ".html"))]
                    )
                )
                .ErrorId
        );
        Assert.False(File.Exists(report));
    }

    private static IoTestSpecification CreateTest(string path, string backend = BackendCatalog.Auto)
    {
        var test = new IoTestSpecification { Backend = backend };
        test.Targets.Add(new IoTargetSpecification(path));
        return test;
    }

    private static void AssertRefused(string id, string path)
    {
        var error = Assert.Throws<IoBenchException>(() => OutputFile.Reserve(path, mayExist: true));
        Assert.True(error.ErrorId == id && error.ExitCode == 2, $"{path}: {error.ErrorId}: {error.Message}");
    }

    private string GetPath(string name) => Path.Combine(_folder, name);

    private static byte[] CreateDataFileHeader()
    {
        const int page = 8192;
        var bytes = new byte[3 * page];
        foreach (var (number, type) in new[] { (0, 15), (1, 11), (2, 8) })
        {
            bytes[number * page] = 1;
            bytes[number * page + 1] = (byte)type;
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(number * page + 28), 8000);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(number * page + 30), 192);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(number * page + 32), (uint)number);
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(number * page + 36), 1);
        }
        return bytes;
    }
}
