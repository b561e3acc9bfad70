using IoBench.Analysis;
using IoBench.Engine;
using static IoBench.Tests.DailyResults;

namespace IoBench.Application.Tests;

public sealed class HistoryFolderTests : TemporaryFolderTestBase
{
    [Fact]
    public void Results_are_read_back_complete_and_in_order()
    {
        var files = HistoryWriter.AppendResults(Folder, [CreateForDay(30, 900), CreateForDay(0, 1000), CreateForDay(0, 500, "sql\\2")]);
        Assert.Equal(
            ["SQL1-2026-01.jsonl", "SQL1-2026-02.jsonl", "sql_2-2026-01.jsonl"],
            files.Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        HistoryWriter.AppendResults(Folder, [CreateForDay(1, 990)]);
        var read = ResultHistory.Read(Folder);
        Assert.Equal(["SQL1-1", "SQL1-30"], read.Skip(2).Select(r => r.RunId));
        Assert.Equal(["SQL1-0", "sql\\2-0"], read.Take(2).Select(r => r.RunId).Order(StringComparer.Ordinal));
        Assert.Equal(FirstRun, read[0].StartTime);
        Assert.Equal(1000, read.Single(r => r.RunId == "SQL1-0").Timeline[0].IOPS);
        Assert.Equal(["a\nb"], read[0].Warnings);
        Assert.Equal(2, File.ReadAllLines(Path.Combine(Folder, "SQL1-2026-01.jsonl")).Length);
    }

    [Fact]
    public void Incomplete_line_of_a_killed_process_is_skipped_with_a_warning()
    {
        var file = HistoryWriter.AppendResults(Folder, [CreateForDay(0, 1000)])[0];
        File.AppendAllText(file, ResultHistory.FormatLine(CreateForDay(1, 1000))[..200]);
        HistoryWriter.AppendResults(Folder, [CreateForDay(2, 1000)]);
        List<string> warnings = [];
        Assert.Equal(["SQL1-0", "SQL1-2"], ResultHistory.Read(Folder, warnings.Add).Select(r => r.RunId));
        Assert.Contains("line 2 is not a complete result", Assert.Single(warnings));
    }

    [Fact]
    public async Task Concurrent_writers_lose_no_line()
    {
        await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(writer =>
                    Task.Run(() =>
                    {
                        for (var i = 0; i < 10; i++)
                            HistoryWriter.AppendResults(Folder, [CreateForDay(writer, 1000 + i)]);
                    })
                )
        );
        Assert.Equal(40, ResultHistory.Read(Folder).Count);
    }

    [LinuxFact]
    public void Link_instead_of_a_history_file_throws_and_its_target_is_unchanged()
    {
        Directory.CreateDirectory(Folder);
        var foreign = Path.Combine(Folder, "precious.txt");
        var place = Path.Combine(Folder, "SQL1-2026-01.jsonl");
        File.WriteAllText(foreign, "precious");
        foreach (var link in new Action[] { () => File.CreateSymbolicLink(place, foreign), () => FileLinks.CreateHardLink(foreign, place) })
        {
            link();
            Assert.Equal(
                "IoBench.BadLink",
                Assert.Throws<IoBenchException>(() => HistoryWriter.AppendResults(Folder, [CreateForDay(0, 1000)])).ErrorId
            );
            Assert.Equal("precious", File.ReadAllText(foreign));
            File.Delete(place);
        }
    }

    [LinuxFact]
    public void Pipe_instead_of_a_history_file_throws()
    {
        Directory.CreateDirectory(Folder);
        FileLinks.CreatePipe(Path.Combine(Folder, "SQL1-2026-01.jsonl"));
        Assert.Equal(
            "IoBench.NotAFile",
            Assert.Throws<IoBenchException>(() => HistoryWriter.AppendResults(Folder, [CreateForDay(0, 1000)])).ErrorId
        );
    }

    [FuseFact]
    public void Full_disk_leaves_no_partial_line()
    {
        using var disk = new FaultyDisk();
        var folder = disk.MountFolder;
        var file = HistoryWriter.AppendResults(folder, [CreateForDay(0, 1000)])[0];
        var before = File.ReadAllBytes(file);
        disk.SetRules("full-after 0");
        Assert.Equal(
            "IoBench.CannotWrite",
            Assert.Throws<IoBenchException>(() => HistoryWriter.AppendResults(folder, [CreateForDay(1, 1000)])).ErrorId
        );
        disk.SetRules();
        Assert.Equal(before, File.ReadAllBytes(file));
    }
}
