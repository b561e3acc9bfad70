using System.Text;

namespace IoBench.Engine.Tests;

public class RefusalTests : TargetTestBase
{
    [Fact]
    public void Unowned_file_is_not_written_without_its_name()
    {
        var path = CreateUnownedFile("big.dat");
        var before = DescribeFile(path);
        var refusal = AssertRefused("IoBench.ForeignFile", () => PrepareFile(path, size: null, writePercent: 100));
        Assert.Equal(
            $"IoBench did not create {path}, and a write test would overwrite it. "
                + "Use another file, or add OverwriteFile big.dat to overwrite this one.",
            refusal.Message
        );
        Assert.Equal(IoErrorKind.Refused, refusal.Kind);
        Assert.Equal(before, DescribeFile(path));
    }

    [Fact]
    public void Named_file_is_used_unchanged_and_stays_unowned()
    {
        var path = CreateUnownedFile("big.dat");
        var before = DescribeFile(path);
        var target = PrepareFile(path, size: null, writePercent: 100, allowAll: true);
        Assert.Equal(65536, target.Size);
        StartWriting(path, size: null, allowAll: true).Dispose();
        Assert.Equal(before, DescribeFile(path));
        AssertNotOwned(path);
    }

    [Fact]
    public void Reading_an_unowned_file_is_allowed_and_changes_nothing()
    {
        var path = CreateUnownedFile("big.dat");
        var before = DescribeFile(path);
        Assert.Equal(65536, PrepareFile(path, size: null).Size);
        Assert.Equal(32768, PrepareFile(path, size: 32768).Size);
        Assert.Equal(before, DescribeFile(path));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(100, true)]
    public void Unowned_file_is_never_extended(int writePercent, bool allowAll)
    {
        var path = CreateUnownedFile("big.dat");
        var before = DescribeFile(path);
        AssertRefused("IoBench.ForeignFile", () => PrepareFile(path, size: MB, writePercent, allowAll));
        Assert.Equal(before, DescribeFile(path));
    }

    [Theory]
    [InlineData("x.mdf")]
    [InlineData("x.NDF")]
    [InlineData("x.ldf")]
    [InlineData("x.bak")]
    [InlineData("x.Trn")]
    [InlineData("x.xel")]
    [InlineData("x.trc")]
    [InlineData("x.hkckp")]
    [InlineData("x.sqb")]
    [InlineData("filestream.hdr")]
    public void SQL_Server_name_is_never_written_and_needs_consent_to_read(string name)
    {
        AssertRefused("IoBench.SqlServerFile", () => PrepareFile(GetPath(name), writePercent: 100, allowAll: true));
        AssertRefused("IoBench.SqlServerFile", () => PrepareFile(GetPath(name)));
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        var path = CreateUnownedFile(name);
        var before = DescribeFile(path);
        var refusal = AssertRefused("IoBench.SqlServerFile", () => PrepareFile(path, size: null, writePercent: 1, allowAll: true));
        Assert.Equal(
            $"{path} is a SQL Server file, and IoBench never writes to SQL Server files. Specify a separate test file, for example {GetPath("iotest.dat")}.",
            refusal.Message
        );
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(path, size: null));
        Assert.Equal(65536, CheckTarget(path, size: null, allowSqlServerRead: true).Size);
        AssertRefused("IoBench.SqlServerFile", () => TestFiles.Remove(path));
        Assert.Equal(before, DescribeFile(path));
    }

    public static TheoryData<string, byte[]> SqlServerContent =>
        new()
        {
            { "data", SqlServerSampleFiles.CreateDataFile() },
            { "log", SqlServerSampleFiles.CreateLogFile() },
            { "first page only", SqlServerSampleFiles.CreateDataFile()[..8192] },
            { "backup", [.. Encoding.ASCII.GetBytes("TAPE"), .. new byte[20000]] },
            { "torn first page", [.. new byte[8192], .. SqlServerSampleFiles.CreateDataFile()[8192..]] },
            { "in a container", [.. new byte[4096], .. SqlServerSampleFiles.CreateDataFile()] },
            { "in a container with small sectors", [.. new byte[512], .. SqlServerSampleFiles.CreateDataFile()] },
            { "page at the end of the first MB", [.. new byte[MB - 8192], .. SqlServerSampleFiles.CreatePage(type: 1, number: 127)] },
            { "FILESTREAM", [.. Encoding.ASCII.GetBytes("$FSHDR"), .. new byte[20000]] },
            { "error log", [0xFF, 0xFE, .. Encoding.Unicode.GetBytes("2026-01-01 Server Microsoft SQL Server 2022"), .. new byte[20000]] },
            { "compressed backup", [.. Encoding.ASCII.GetBytes("MSSQLBAK"), .. new byte[20000]] },
        };

    [Theory]
    [MemberData(nameof(SqlServerContent))]
    public void SQL_Server_content_is_never_written_and_needs_consent_to_read(string kind, byte[] content)
    {
        var path = GetPath(kind + ".dat");
        File.WriteAllBytes(path, content);
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(path, size: null, writePercent: 100, allowAll: true));
        AssertRefused("IoBench.SqlServerFile", () => CheckWithSmallBlocks(path));
        AssertRefused("IoBench.SqlServerFile", () => TestFiles.Remove(path));
        Assert.True(File.Exists(path));
    }

    private static CheckedTarget CheckWithSmallBlocks(string path)
    {
        var spec = CreateSpecification(path, size: null);
        spec.BlockSize = 512;
        return TestFiles.Check(spec, spec.Targets[0], new TestRunOptions());
    }

    [Theory]
    [InlineData(0)] // header version
    [InlineData(1)] // page type
    [InlineData(22)] // slots
    [InlineData(30)] // end of the data
    [InlineData(32)] // page number
    [InlineData(37)] // file number
    public void One_invalid_header_field_means_no_page(int at)
    {
        var page = SqlServerSampleFiles.CreatePage(type: 15, number: 0);
        Assert.True(SqlServerFile.IsSqlServerContent(page));
        page[at] ^= 0xC0;
        page[at + 1] ^= 0xC0;
        Assert.False(SqlServerFile.IsSqlServerContent(page));
    }

    public static TheoryData<string, long, byte[]> KnownFiles =>
        new()
        {
            { "a partition table", 450, [0x83, .. new byte[59], 0x55, 0xAA] },
            { "a GPT partition table", 512, Encoding.ASCII.GetBytes("EFI PART") },
            { "an NTFS file system", 3, Encoding.ASCII.GetBytes("NTFS    ") },
            { "an ext file system", 1024 + 56, [0x53, 0xEF] },
            { "a LUKS encrypted volume", 0, [.. "LUKS"u8, 0xBA, 0xBE] },
            { "a virtual disk (VHDX)", 0, Encoding.ASCII.GetBytes("vhdxfile") },
            { "a virtual disk (VMDK)", 0, Encoding.ASCII.GetBytes("KDMV") },
            { "a virtual disk (QCOW)", 0, [.. "QFI"u8, 0xFB] },
            { "a virtual disk (VDI)", 64, [0x7F, 0x10, 0xDA, 0xBE] },
            { "a virtual disk (VHD)", 4 * MB - 512, Encoding.ASCII.GetBytes("conectix") },
            { "an XFS file system", 2 * MB, Encoding.ASCII.GetBytes("XFSB") },
        };

    [Theory]
    [MemberData(nameof(KnownFiles))]
    public void File_of_a_known_format_is_never_written(string name, long offset, byte[] value)
    {
        var path = GetPath("disk.img");
        using (var file = File.Create(path))
        {
            file.SetLength(4 * MB);
            file.Position = offset;
            file.Write(value);
        }
        foreach (var allowAll in new[] { false, true })
            Assert.Contains(
                $"{path} contains {name} (at offset ",
                AssertRefused("IoBench.FileHasData", () => CheckTarget(path, size: null, writePercent: 1, allowAll: allowAll)).Message,
                StringComparison.Ordinal
            );
        AssertRefused("IoBench.FileHasData", () => PrepareFile(path, size: null, writePercent: 100, allowAll: true));
        Assert.Equal(4 * MB, CheckTarget(path, size: null).Size);
    }

    [Fact]
    public void Own_content_and_zeros_are_not_a_database()
    {
        var content = new byte[SqlServerFile.HeadBytes];
        Assert.False(SqlServerFile.IsSqlServerContent(content));
        TestFileContent.Generate(content, 1, 0);
        Assert.False(SqlServerFile.IsSqlServerContent(content));
        Assert.False(SqlServerFile.IsSqlServerContent([]));
    }

    [Fact]
    public void Link_is_checked_by_its_target()
    {
        PrepareFile(GetPath("ours.dat"));
        File.CreateSymbolicLink(GetPath("link.dat"), GetPath("ours.dat"));
        Assert.Equal(GetPath("ours.dat"), PrepareFile(GetPath("link.dat"), writePercent: 100).Path);
        File.CreateSymbolicLink(GetPath("foreign-link.dat"), CreateUnownedFile("other.dat"));
        AssertRefused("IoBench.ForeignFile", () => CheckTarget(GetPath("foreign-link.dat"), size: null, writePercent: 100));
        File.CreateSymbolicLink(GetPath("sql-link.dat"), CreateUnownedFile("x.mdf"));
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(GetPath("sql-link.dat"), size: null, writePercent: 100, allowAll: true));
        File.CreateSymbolicLink(GetPath("y.mdf"), GetPath("other.dat"));
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(GetPath("y.mdf"), size: null, writePercent: 100, allowAll: true));
    }

    [Fact]
    public void Dangling_or_circular_link_is_refused()
    {
        File.CreateSymbolicLink(GetPath("dangling.dat"), GetPath("nothing.dat"));
        AssertRefused("IoBench.BadLink", () => PrepareFile(GetPath("dangling.dat")));
        Assert.False(File.Exists(GetPath("nothing.dat")));
        File.CreateSymbolicLink(GetPath("a.dat"), GetPath("b.dat"));
        File.CreateSymbolicLink(GetPath("b.dat"), GetPath("a.dat"));
        AssertRefused("IoBench.BadLink", () => PrepareFile(GetPath("a.dat")));
    }

    [Fact]
    public void Link_to_a_folder_is_accepted_as_a_folder()
    {
        Directory.CreateDirectory(GetPath("real"));
        Directory.CreateSymbolicLink(GetPath("linked"), GetPath("real"));
        PrepareFile(GetPath("linked"));
        Assert.True(File.Exists(GetPath("real/iobench.dat")));
    }

    [Fact]
    public void Pipe_device_or_folder_is_refused_without_waiting()
    {
        RunShell($"mkfifo '{GetPath("fifo")}'");
        AssertRefused("IoBench.NotAFile", () => CheckTarget(GetPath("fifo")));
        AssertRefused("IoBench.NotAFile", () => CheckTarget("/dev/null"));
        AssertRefused("IoBench.NotAFile", () => CheckTarget("/dev/zero", writePercent: 100, allowAll: true));
        Directory.CreateDirectory(GetPath("iobench.dat"));
        AssertRefused("IoBench.NotAFile", () => CheckTarget(Folder));
        AssertRefused("IoBench.NotAFile", () => TestFiles.Remove(GetPath("fifo")));
        AssertRefused("IoBench.NotAFile", () => TestFiles.Remove("/dev/null"));
    }

    [Fact]
    public void Invalid_or_missing_paths_are_refused()
    {
        var refusal = AssertRefused("IoBench.DirectoryNotFound", () => CheckTarget(GetPath("no/such/a.dat")));
        Assert.Equal(IoErrorKind.NotFound, refusal.Kind);
        AssertRefused("IoBench.DirectoryNotFound", () => CheckTarget(GetPath("nosuch/")));
        AssertRefused("IoBench.DirectoryNotFound", () => CheckTarget(CreateUnownedFile("file.dat") + "/a.dat"));
        AssertRefused("IoBench.PathTooLong", () => CheckTarget(GetPath(new string('x', 300))));
        AssertRefused("IoBench.PathTooLong", () => CheckTarget(GetPath(string.Concat(Enumerable.Repeat("abcdefghi/", 500)) + "x")));
        AssertRefused("IoBench.InvalidPath", () => CheckTarget(""));
        AssertRefused("IoBench.InvalidPath", () => CheckTarget("a\0b"));
        AssertRefused("IoBench.FileNotFound", () => TestFiles.Remove(GetPath("a.dat")));
        AssertRefused("IoBench.FileNotFound", () => TestFiles.IsOwnTestFile(GetPath("a.dat"), out _));
    }

    [Fact]
    public void Empty_unowned_file_is_refused()
    {
        File.WriteAllBytes(GetPath("empty.dat"), []);
        AssertRefused("IoBench.EmptyFile", () => PrepareFile(GetPath("empty.dat")));
        AssertRefused("IoBench.EmptyFile", () => PrepareFile(GetPath("empty.dat"), writePercent: 100));
        AssertRefused("IoBench.EmptyFile", () => PrepareFile(GetPath("empty.dat"), writePercent: 100, allowAll: true));
        Assert.Equal(0, new FileInfo(GetPath("empty.dat")).Length);
    }

    [Fact]
    public void Test_file_larger_than_the_volume_is_refused()
    {
        var refusal = AssertRefused("IoBench.NotEnoughSpace", () => PrepareFile(GetPath("a.dat"), size: 1L << 50));
        Assert.Contains("needs 1 PB of additional space, but ", refusal.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Fact]
    public void Remove_deletes_only_files_that_IoBench_created()
    {
        PrepareFile(Folder);
        TestFiles.Remove(Folder);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        var path = CreateUnownedFile("other.dat");
        var refusal = AssertRefused("IoBench.ForeignFile", () => TestFiles.Remove(path));
        Assert.EndsWith("Use a command of the operating system to remove it.", refusal.Message, StringComparison.Ordinal);
        Assert.True(File.Exists(path));
    }

    [Fact]
    public void Own_file_with_the_name_of_a_database_is_not_removed()
    {
        PrepareFile(GetPath("t.dat"));
        File.Move(GetPath("t.dat"), GetPath("own.mdf"));
        AssertOwned(GetPath("own.mdf"));
        AssertRefused("IoBench.SqlServerFile", () => TestFiles.Remove(GetPath("own.mdf")));
        Assert.True(File.Exists(GetPath("own.mdf")));
    }

    [Fact]
    public void Overwriting_requires_the_name_of_the_file_itself()
    {
        var path = CreateUnownedFile("big.dat");
        File.CreateSymbolicLink(GetPath("link.dat"), path);
        foreach (var wrong in new[] { "big", "big.dat.", "BIG.dat", "*", "", "/big.dat", "other.dat", "link.dat", GetPath("link.dat") })
            AssertRefused("IoBench.ForeignFile", () => CheckWithName(GetPath("link.dat"), wrong));
        foreach (var name in new[] { "big.dat", path })
        {
            CheckWithName(GetPath("link.dat"), name);
            CheckWithName(path, name);
        }
        CheckWithName(Path.GetRelativePath(Environment.CurrentDirectory, path), Path.GetRelativePath(Environment.CurrentDirectory, path));
    }

    [Fact]
    public void Permission_for_one_danger_allows_no_other()
    {
        var path = CreateUnownedFile("big.dat");
        var spec = CreateSpecification(path, size: null, writePercent: 100);
        var others = new TargetPermissions
        {
            EraseDevices = ["big.dat", path],
            FillVolume = true,
            ReadDatabase = true,
        };
        AssertRefused("IoBench.ForeignFile", () => TestFiles.Check(spec, spec.Targets[0], new TestRunOptions { Permissions = others }));
        var database = CreateUnownedFile("x.mdf");
        var reads = CreateSpecification(database, size: null);
        var noRead = AllPermissions.For(database).Permissions with { ReadDatabase = false };
        AssertRefused("IoBench.SqlServerFile", () => TestFiles.Check(reads, reads.Targets[0], new TestRunOptions { Permissions = noRead }));
    }

    [Fact]
    public void Write_protected_file_is_refused_even_for_root()
    {
        var path = CreateUnownedFile("big.dat");
        RunShell($"chmod 444 '{path}'");
        AssertRefused("IoBench.WriteProtected", () => CheckTarget(path, size: null, writePercent: 100, allowAll: true));
        PrepareFile(GetPath("t.dat"));
        RunShell($"chmod 444 '{GetPath("t.dat")}'");
        AssertRefused("IoBench.WriteProtected", () => CheckTarget(GetPath("t.dat"), size: null, writePercent: 100));
        Assert.Equal(MB, CheckTarget(GetPath("t.dat"), size: null).Size);
    }

    private static CheckedTarget CheckWithName(string path, string name)
    {
        var spec = CreateSpecification(path, size: null, writePercent: 100);
        var permissions = new TargetPermissions { OverwriteFiles = [name] };
        return TestFiles.Check(spec, spec.Targets[0], new TestRunOptions { Permissions = permissions });
    }

    [Theory]
    [InlineData(null, "IoBench.InvalidSize")]
    [InlineData(2L, "IoBench.InvalidSize")]
    [InlineData(1L << 20, "IoBench.ForeignFile")]
    public void Unowned_file_that_is_too_small_is_refused(long? size, string id)
    {
        var path = GetPath("tiny.txt");
        File.WriteAllText(path, "ab");
        var refusal = AssertRefused(id, () => PrepareFile(path, size));
        Assert.EndsWith(
            "so IoBench does not extend it. Blocks of 8 KB require a file of at least 16 KB. Specify another file.",
            refusal.Message,
            StringComparison.Ordinal
        );
    }
}
