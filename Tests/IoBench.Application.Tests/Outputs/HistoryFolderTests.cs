using IoBench.Analysis;
using IoBench.Engine;
using static IoBench.Tests.HistoryNights;

namespace IoBench.Application.Tests;

public sealed class HistoryFolderTests : FolderTests
{
    [Fact]
    public void Results_come_back_whole_and_in_order()
    {
        var files = HistoryFolder.Append(Folder, [Night(30, 900), Night(0, 1000), Night(0, 500, "sql\\2")]);
        Assert.Equal(
            ["SQL1-2026-01.jsonl", "SQL1-2026-02.jsonl", "sql_2-2026-01.jsonl"],
            files.Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        HistoryFolder.Append(Folder, [Night(1, 990)]);
        var read = ResultHistory.Read(Folder);
        Assert.Equal(["SQL1-1", "SQL1-30"], read.Skip(2).Select(r => r.RunId));
        Assert.Equal(["SQL1-0", "sql\\2-0"], read.Take(2).Select(r => r.RunId).Order(StringComparer.Ordinal));
        Assert.Equal(Start, read[0].StartTime);
        Assert.Equal(1000, read.Single(r => r.RunId == "SQL1-0").Timeline[0].IOPS);
        Assert.Equal(["a\nb"], read[0].Warnings);
        Assert.Equal(2, File.ReadAllLines(Path.Combine(Folder, "SQL1-2026-01.jsonl")).Length);
    }

    [Fact]
    public void What_a_killed_process_left_is_passed_over_and_said()
    {
        var file = HistoryFolder.Append(Folder, [Night(0, 1000)])[0];
        File.AppendAllText(file, ResultHistory.Line(Night(1, 1000))[..200]);
        HistoryFolder.Append(Folder, [Night(2, 1000)]);
        List<string> warnings = [];
        Assert.Equal(["SQL1-0", "SQL1-2"], ResultHistory.Read(Folder, warnings.Add).Select(r => r.RunId));
        Assert.Contains("line 2 is not a whole result", Assert.Single(warnings));
    }

    [Fact]
    public async Task Several_writers_lose_no_line()
    {
        await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(writer =>
                    Task.Run(() =>
                    {
                        for (var i = 0; i < 10; i++)
                            HistoryFolder.Append(Folder, [Night(writer, 1000 + i)]);
                    })
                )
        );
        Assert.Equal(40, ResultHistory.Read(Folder).Count);
    }

    [LinuxFact]
    public void A_link_in_the_place_of_a_history_file_is_refused_and_what_it_leads_to_stays()
    {
        Directory.CreateDirectory(Folder);
        var foreign = Path.Combine(Folder, "precious.txt");
        var place = Path.Combine(Folder, "SQL1-2026-01.jsonl");
        File.WriteAllText(foreign, "precious");
        foreach (var link in new Action[] { () => File.CreateSymbolicLink(place, foreign), () => Links.Hard(foreign, place) })
        {
            link();
            Assert.Equal("IoBench.BadLink", Assert.Throws<IoBenchException>(() => HistoryFolder.Append(Folder, [Night(0, 1000)])).ErrorId);
            Assert.Equal("precious", File.ReadAllText(foreign));
            File.Delete(place);
        }
    }

    [LinuxFact]
    public void A_pipe_in_the_place_of_a_history_file_is_refused()
    {
        Directory.CreateDirectory(Folder);
        Links.Pipe(Path.Combine(Folder, "SQL1-2026-01.jsonl"));
        Assert.Equal("IoBench.NotAFile", Assert.Throws<IoBenchException>(() => HistoryFolder.Append(Folder, [Night(0, 1000)])).ErrorId);
    }

    [FuseFact]
    public void A_full_disk_leaves_no_part_of_a_line()
    {
        using var disk = new FaultyDisk();
        var folder = disk.Mount;
        var file = HistoryFolder.Append(folder, [Night(0, 1000)])[0];
        var before = File.ReadAllBytes(file);
        disk.Rules("full-after 0");
        Assert.Equal("IoBench.CannotWrite", Assert.Throws<IoBenchException>(() => HistoryFolder.Append(folder, [Night(1, 1000)])).ErrorId);
        disk.Rules();
        Assert.Equal(before, File.ReadAllBytes(file));
    }
}
