using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioParameterFileTests
{
    private static IReadOnlyList<SqlioParameterLine> ReadText(string text) =>
        SqlioCommandLine.ReadParameterLines(new StringReader(text), "param.txt");

    private static SqlioParameterLine ReadSingleLine(string line) => Assert.Single(ReadText(line));

    [Fact]
    public void Installed_and_published_parameter_files_are_read()
    {
        Assert.Equal(
            new SqlioParameterLine(@"c:\testfile.dat", 2, 0, 100, 1),
            Assert.Single(SqlioCommandLine.ReadParameterFile(SampleFiles.GetPath("documents", "param.txt")))
        );
        Assert.Equal(
            new SqlioParameterLine(@"O:\SQLIOMP\Disk1\testfile.dat", 48, 0, 92160, 1),
            Assert.Single(SqlioCommandLine.ReadParameterFile(SampleFiles.GetPath("documents", "paramMT.txt")))
        );
    }

    [Theory]
    [InlineData("c:\\t.dat", "c:\\t.dat", 1, 0, null)]
    [InlineData("c:\\t.dat 4", "c:\\t.dat", 4, 0, null)]
    [InlineData("c:\\t.dat 4 0xF", "c:\\t.dat", 4, 15, null)]
    [InlineData("c:\\t.dat 4 15", "c:\\t.dat", 4, 15, null)]
    [InlineData("c:\\t.dat\t4\t0x0\t2000", "c:\\t.dat", 4, 0, 2000.0)]
    [InlineData("  c:\\my test files\\t.dat 4 0x0 2000  ", "c:\\my test files\\t.dat", 4, 0, 2000.0)]
    [InlineData("c:\\my file 7 4 0x0 2000", "c:\\my file 7", 4, 0, 2000.0)]
    [InlineData("c:\\my file 7 4 0x3", "c:\\my file 7", 4, 3, null)]
    [InlineData("\"c:\\my file 7\" 4", "c:\\my file 7", 4, 0, null)]
    [InlineData("\"c:\\my file\"", "c:\\my file", 1, 0, null)]
    [InlineData("c:\\t.dat 2 0x0 100 #the first", "c:\\t.dat", 2, 0, 100.0)]
    [InlineData("c:\\t#1.dat 2", "c:\\t#1.dat", 2, 0, null)]
    [InlineData("9: 2 0x0 100", "9:", 2, 0, 100.0)]
    [InlineData("c:\\t.dat\u00A02\u00A00x0 100", "c:\\t.dat", 2, 0, 100.0)]
    public void Parameter_file_lines_are_parsed(string line, string path, int threads, ulong mask, double? size) =>
        Assert.Equal(new SqlioParameterLine(path, threads, mask, size, 1), ReadSingleLine(line));

    [Fact]
    public void Comments_and_empty_lines_are_skipped_and_lines_are_numbered() =>
        Assert.Equal([2, 5], ReadText("# two files\r\nc:\\a.dat 1\r\n\r\n   # d:\\no.dat 9\r\nd:\\b.dat 2").Select(l => l.LineNumber));

    [Theory]
    [InlineData("", "no file is specified. Use a form such as  c:")]
    [InlineData("# c:\\t.dat 2 0x0 100", "no file is specified. Use a form such as  c:")]
    [InlineData("c:\\t.dat 0 0x0 100", "'0' is not a valid number of threads")]
    [InlineData("c:\\t.dat 257", "'257' is not a valid number of threads")]
    [InlineData("Dear diary, nothing today", "the number of threads after 'Dear diary, nothing today' is missing")]
    [InlineData("junk", "the number of threads after 'junk' is missing")]
    [InlineData("PK\u0003\u0004 2", "the line contains characters that are invalid in file names. Is the file a parameter file?")]
    [InlineData("\"c:\\t.dat 2", "the closing quotation mark is missing")]
    [InlineData("\"c:\\t.dat\" two", "'two' is not a valid number of threads")]
    [InlineData("\"c:\\t.dat\" 2 0xZZ", "'0xZZ' is not a CPU mask")]
    [InlineData("c:\\t.dat 2 0x0 0", "'0' is not a size")]
    [InlineData("\"c:\\t.dat\" 2 0x0 100 5", "only threads, mask, and size can follow the file name")]
    public void Invalid_line_throws_with_file_name_and_line_number(string text, string what)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadText(text));

        Assert.Equal("IoBench.InvalidParameterFile", error.ErrorId);
        Assert.StartsWith("param.txt line 1: ", error.Message, StringComparison.Ordinal);
        Assert.Contains(what, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_line_is_a_target_with_its_own_threads()
    {
        var specification = new IoTestSpecification
        {
            WritePercent = 100,
            BlockSize = 65536,
            OutstandingIO = 100,
        };
        SqlioCommandLine.SetTargets(specification, ReadText("c:\\a.dat 2 0x3 100\nd:\\b.dat 6 0x0 200"));

        Assert.Equal(["c:\\a.dat", "d:\\b.dat"], specification.Targets.Select(t => t.Path));
        Assert.Equal([100L << 20, 200L << 20], specification.Targets.Select(t => t.FileSize!.Value));
        Assert.Equal([2, 6], specification.Targets.Select(t => t.Pattern!.ThreadCount));
        Assert.All(
            specification.Targets,
            t => Assert.Equal((65536, 100, 100), (t.Pattern!.BlockSize, t.Pattern.WritePercent, t.Pattern.OutstandingIO))
        );
        Assert.Equal([0, 1], specification.Targets[0].Pattern!.Processors);
        Assert.Equal(
            (IoAffinityMode.Mask, IoAffinityMode.Off),
            (specification.Targets[0].Pattern!.AffinityMode, specification.Targets[1].Pattern!.AffinityMode)
        );
        Assert.Equal(8, specification.ThreadCount);
        Assert.False(specification.SharedThreadPool);
    }

    [Fact]
    public void Test_settings_apply_to_each_of_several_targets()
    {
        var specification = new IoTestSpecification
        {
            WritePercent = 100,
            FlushEvery = 4,
            WriteContent = IoWriteContentKind.Zero,
            MaxIopsPerThread = 50,
        };
        SqlioCommandLine.SetTargets(specification, ReadText("c:\\a.dat 2 0x3 100\nd:\\b.dat 6 0x0 200"));
        Assert.All(
            specification.Targets,
            t =>
                Assert.Equal(
                    (4, IoWriteContentKind.Zero, 50.0),
                    (t.Pattern!.FlushEvery, t.Pattern.WriteContent, t.Pattern.MaxIopsPerThread)
                )
        );
    }

    [Fact]
    public void Single_line_uses_the_pattern_of_the_test()
    {
        var specification = new IoTestSpecification();
        SqlioCommandLine.SetTargets(specification, ReadText("c:\\a.dat 2 0x3 100"));

        Assert.Null(Assert.Single(specification.Targets).Pattern);
        Assert.Equal(2, specification.ThreadCount);
        Assert.Equal([0, 1], specification.Processors);
    }

    [LinuxFact]
    public void Failed_read_throws_with_the_file_name()
    {
        // The first bytes of this file are not mapped memory, so reading them fails as on a broken disk.
        var error = Assert.Throws<IoBenchException>(() => SqlioCommandLine.ReadParameterFile("/proc/self/mem"));
        Assert.Equal(("IoBench.CannotRead", "/proc/self/mem"), (error.ErrorId, error.Target));
    }

    [Theory]
    [InlineData("9:", @"\\.\PhysicalDrive9")]
    [InlineData("E:", @"\\.\E:")]
    [InlineData("E:t.dat", "E:t.dat")]
    [InlineData("/dev/sdb", "/dev/sdb")]
    public void Raw_drives_are_converted_to_Windows_device_names(string path, string device) =>
        Assert.Equal(device, SqlioCommandLine.GetDevicePath(path));
}
