using System.Text;

namespace IoBench.Engine.Tests;

public class RefusalTests : TargetFolder
{
    [Fact]
    public void A_foreign_file_is_not_written_without_force()
    {
        var path = Foreign("big.dat");
        var before = Everything(path);
        var refusal = Refused("IoBench.ForeignFile", () => Prepare(path, size: null, writePercent: 100));
        Assert.Equal(
            $"{path} exists and was not made by IoBench: a write test would destroy it. Add Force to use it anyway.",
            refusal.Message
        );
        Assert.Equal(IoErrorKind.Refused, refusal.Kind);
        Assert.Equal(before, Everything(path));
    }

    [Fact]
    public void By_force_it_is_used_as_it_is_and_stays_foreign()
    {
        var path = Foreign("big.dat");
        var before = Everything(path);
        var target = Prepare(path, size: null, writePercent: 100, force: true);
        Assert.Equal(65536, target.Size);
        BeginWriting(path, size: null, force: true).Dispose();
        Assert.Equal(before, Everything(path));
        WhyForeign(path);
    }

    [Fact]
    public void Reading_a_foreign_file_is_allowed_and_changes_nothing()
    {
        var path = Foreign("big.dat");
        var before = Everything(path);
        Assert.Equal(65536, Prepare(path, size: null).Size);
        Assert.Equal(32768, Prepare(path, size: 32768).Size);
        Assert.Equal(before, Everything(path));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(100, true)]
    public void A_foreign_file_is_never_made_longer(int writePercent, bool force)
    {
        var path = Foreign("big.dat");
        var before = Everything(path);
        Refused("IoBench.ForeignFile", () => Prepare(path, size: MB, writePercent, force));
        Assert.Equal(before, Everything(path));
    }

    [Theory]
    [InlineData("x.mdf")]
    [InlineData("x.NDF")]
    [InlineData("x.ldf")]
    [InlineData("x.bak")]
    [InlineData("x.Trn")]
    public void A_SQL_Server_file_by_its_name_is_never_written_nor_made_and_reading_asks_first(string name)
    {
        Refused("IoBench.SqlServerFile", () => Prepare(At(name), writePercent: 100, force: true));
        Refused("IoBench.SqlServerFile", () => Prepare(At(name)));
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        var path = Foreign(name);
        var before = Everything(path);
        var refusal = Refused("IoBench.SqlServerFile", () => Prepare(path, size: null, writePercent: 1, force: true));
        Assert.Equal(
            $"{path} is a SQL Server file: IoBench never writes to one. Name a test file of its own, for example {At("iotest.dat")}.",
            refusal.Message
        );
        Refused("IoBench.SqlServerFile", () => Check(path, size: null));
        Assert.Equal(65536, Check(path, size: null, allowSqlServerRead: true).Size);
        Refused("IoBench.SqlServerFile", () => TestFiles.Remove(path, force: true));
        Assert.Equal(before, Everything(path));
    }

    public static TheoryData<string, byte[]> SqlServerContent =>
        new()
        {
            { "data", SqlServerSamples.DataFile() },
            { "log", SqlServerSamples.LogFile() },
            { "first page only", SqlServerSamples.DataFile()[..8192] },
            { "backup", [.. Encoding.ASCII.GetBytes("TAPE"), .. new byte[20000]] },
            { "compressed backup", [.. Encoding.ASCII.GetBytes("MSSQLBAK"), .. new byte[20000]] },
        };

    [Theory]
    [MemberData(nameof(SqlServerContent))]
    public void A_SQL_Server_file_by_its_content_is_never_written_and_reading_asks_first(string kind, byte[] content)
    {
        var path = At(kind + ".dat");
        File.WriteAllBytes(path, content);
        Refused("IoBench.SqlServerFile", () => Check(path, size: null, writePercent: 100, force: true));
        Refused("IoBench.SqlServerFile", () => SmallCheck(path));
        Refused("IoBench.SqlServerFile", () => TestFiles.Remove(path, force: true));
        Assert.True(File.Exists(path));
    }

    private static CheckedTarget SmallCheck(string path)
    {
        var spec = Spec(path, size: null);
        spec.BlockSize = 512;
        return TestFiles.Check(spec, spec.Targets[0], new TestRunOptions());
    }

    [Theory]
    [InlineData(0)] // header version
    [InlineData(1)] // page type
    [InlineData(32)] // page number
    public void One_field_that_does_not_fit_makes_it_no_database(int at)
    {
        var content = SqlServerSamples.DataFile();
        Assert.True(SqlServerFile.IsContent(content));
        content[at] ^= 0x40;
        Assert.False(SqlServerFile.IsContent(content));
    }

    [Fact]
    public void Own_content_and_zeros_are_no_database()
    {
        var content = new byte[SqlServerFile.HeadBytes];
        Assert.False(SqlServerFile.IsContent(content));
        FillContent.Fill(content, 1, 0);
        Assert.False(SqlServerFile.IsContent(content));
        Assert.False(SqlServerFile.IsContent([]));
    }

    [Fact]
    public void A_link_is_judged_by_what_it_leads_to()
    {
        Prepare(At("ours.dat"));
        File.CreateSymbolicLink(At("link.dat"), At("ours.dat"));
        Assert.Equal(At("ours.dat"), Prepare(At("link.dat"), writePercent: 100).Path);
        File.CreateSymbolicLink(At("foreign-link.dat"), Foreign("other.dat"));
        Refused("IoBench.ForeignFile", () => Check(At("foreign-link.dat"), size: null, writePercent: 100));
        File.CreateSymbolicLink(At("sql-link.dat"), Foreign("x.mdf"));
        Refused("IoBench.SqlServerFile", () => Check(At("sql-link.dat"), size: null, writePercent: 100, force: true));
        File.CreateSymbolicLink(At("y.mdf"), At("other.dat"));
        Refused("IoBench.SqlServerFile", () => Check(At("y.mdf"), size: null, writePercent: 100, force: true));
    }

    [Fact]
    public void A_link_that_leads_nowhere_or_in_a_circle_is_refused()
    {
        File.CreateSymbolicLink(At("dangling.dat"), At("nothing.dat"));
        Refused("IoBench.BadLink", () => Prepare(At("dangling.dat")));
        Assert.False(File.Exists(At("nothing.dat")));
        File.CreateSymbolicLink(At("a.dat"), At("b.dat"));
        File.CreateSymbolicLink(At("b.dat"), At("a.dat"));
        Refused("IoBench.BadLink", () => Prepare(At("a.dat")));
    }

    [Fact]
    public void A_linked_folder_is_a_folder()
    {
        Directory.CreateDirectory(At("real"));
        Directory.CreateSymbolicLink(At("linked"), At("real"));
        Prepare(At("linked"));
        Assert.True(File.Exists(At("real/iobench.dat")));
    }

    [Fact]
    public void What_is_no_file_is_refused_without_waiting_for_it()
    {
        Shell($"mkfifo '{At("fifo")}'");
        Refused("IoBench.NotAFile", () => Check(At("fifo")));
        Refused("IoBench.NotAFile", () => Check("/dev/null"));
        Refused("IoBench.NotAFile", () => Check("/dev/zero", writePercent: 100, force: true));
        Directory.CreateDirectory(At("iobench.dat"));
        Refused("IoBench.NotAFile", () => Check(Folder));
        Refused("IoBench.NotAFile", () => TestFiles.Remove(At("fifo"), force: true));
        Refused("IoBench.NotAFile", () => TestFiles.Remove("/dev/null", force: true));
    }

    [Fact]
    public void Paths_that_lead_nowhere_are_refused()
    {
        var refusal = Refused("IoBench.DirectoryNotFound", () => Check(At("no/such/a.dat")));
        Assert.Equal(IoErrorKind.NotFound, refusal.Kind);
        Refused("IoBench.DirectoryNotFound", () => Check(At("nosuch/")));
        Refused("IoBench.DirectoryNotFound", () => Check(Foreign("file.dat") + "/a.dat"));
        Refused("IoBench.PathTooLong", () => Check(At(new string('x', 300))));
        Refused("IoBench.PathTooLong", () => Check(At(string.Concat(Enumerable.Repeat("abcdefghi/", 500)) + "x")));
        Refused("IoBench.InvalidPath", () => Check(""));
        Refused("IoBench.InvalidPath", () => Check("a\0b"));
        Refused("IoBench.FileNotFound", () => TestFiles.Remove(At("a.dat"), force: true));
        Refused("IoBench.FileNotFound", () => TestFiles.IsOurs(At("a.dat"), out _));
    }

    [Fact]
    public void An_empty_foreign_file_is_refused()
    {
        File.WriteAllBytes(At("empty.dat"), []);
        Refused("IoBench.EmptyFile", () => Prepare(At("empty.dat")));
        Refused("IoBench.ForeignFile", () => Prepare(At("empty.dat"), writePercent: 100));
        Refused("IoBench.EmptyFile", () => Prepare(At("empty.dat"), writePercent: 100, force: true));
        Assert.Equal(0, new FileInfo(At("empty.dat")).Length);
    }

    [Fact]
    public void A_test_that_is_larger_than_the_volume_is_refused()
    {
        var refusal = Refused("IoBench.NotEnoughSpace", () => Prepare(At("a.dat"), size: 1L << 50));
        Assert.Contains("needs 1 PB and ", refusal.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Fact]
    public void Remove_takes_our_file_and_nobody_else_s()
    {
        Prepare(Folder);
        TestFiles.Remove(Folder, force: false);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        var path = Foreign("other.dat");
        Refused("IoBench.ForeignFile", () => TestFiles.Remove(path, force: false));
        Assert.True(File.Exists(path));
        TestFiles.Remove(path, force: true);
        Assert.False(File.Exists(path));
    }

    [Theory]
    [InlineData(null, "IoBench.InvalidSize")]
    [InlineData(2L, "IoBench.InvalidSize")]
    [InlineData(1L << 20, "IoBench.ForeignFile")]
    public void A_foreign_file_that_is_too_small_for_any_size_is_not_offered(long? size, string id)
    {
        var path = At("tiny.txt");
        File.WriteAllText(path, "ab");
        var refusal = Refused(id, () => Prepare(path, size));
        Assert.EndsWith(
            "so it is not made longer; blocks of 8 KB need a file of at least 16 KB. Name another file.",
            refusal.Message,
            StringComparison.Ordinal
        );
    }
}
