using System.Text;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class OutputFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-output-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_second_claim_of_the_same_name_is_refused_until_the_first_is_let_go()
    {
        using (var first = Claim("r.json"))
        {
            Save(first, "one");
            foreach (var _ in Enumerable.Range(0, 5))
                Assert.Equal(("IoBench.OutputInUse", 2), Refused("r.json", mayExist: true));
            Save(first, "two");
            Assert.Equal(("IoBench.OutputInUse", 2), Refused("r.json", mayExist: true));
        }
        Assert.Equal("two", Read("r.json"));
        using var next = Claim("r.json", mayExist: true);
        Save(next, "three");
        Assert.Equal("three", Read("r.json"));
        Assert.Equal(["r.json"], Names());
    }

    [Fact]
    public void What_is_claimed_and_not_written_leaves_nothing()
    {
        Claim("r.json").Dispose();
        Assert.Empty(Names());
        Write("old.json", "old");
        Claim("old.json", mayExist: true).Dispose();
        Assert.Equal("old", Read("old.json"));
    }

    [Fact]
    public void A_file_is_replaced_only_when_it_may_be_and_an_empty_one_always()
    {
        Write("r.json", "precious");
        Assert.Equal(("IoBench.FileExists", 2), Refused("r.json"));
        Assert.Equal("precious", Read("r.json"));
        Write("empty.json", "");
        using var file = Claim("empty.json");
        Save(file, "new");
        Assert.Equal("new", Read("empty.json"));
    }

    [Fact]
    public void A_file_that_took_the_name_meanwhile_stays_and_the_results_are_beside_it()
    {
        using var file = Claim("r.json");
        Save(file, "one");
        File.Delete(At("r.json"));
        Write("r.json", "somebody's");
        Write("r-2.json", "also somebody's");
        Save(file, "two");
        Assert.Equal("somebody's", Read("r.json"));
        Assert.Equal("also somebody's", Read("r-2.json"));
        Assert.Equal("two", Read("r-3.json"));
        Assert.Contains(At("r-3.json"), file.TakeNotice());
        Assert.Null(file.TakeNotice());
        // The new name is locked like the old one, and the old one is unlocked.
        Save(file, "three");
        Assert.Equal("three", Read("r-3.json"));
        Assert.Equal("IoBench.OutputInUse", Refused("r-3.json", mayExist: true).Id);
        Assert.Equal(["r-2.json", "r-3.json", "r.json"], Names());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_others_write_into_the_file_meanwhile_stays_and_the_results_are_beside_it(bool append)
    {
        using (var file = Claim("r.json"))
        {
            Save(file, "one");
            if (append)
                File.AppendAllText(At("r.json"), " and more");
            else
                Write("r.json", "somebody's");
            Save(file, "two");
            Save(file, "three");
        }
        Assert.Equal(append ? "one and more" : "somebody's", Read("r.json"));
        Assert.Equal("three", Read("r-2.json"));
        Assert.Equal(["r-2.json", "r.json"], Names());
    }

    [Fact]
    public void What_others_write_into_a_file_that_was_only_claimed_stays()
    {
        using (Claim("r.json"))
            Write("r.json", "somebody's");
        Assert.Equal("somebody's", Read("r.json"));
        using (var file = Claim("new.json"))
        {
            Write("new.json", "somebody's");
            Save(file, "one");
        }
        Assert.Equal("somebody's", Read("new.json"));
        Assert.Equal("one", Read("new-2.json"));
    }

    [Fact]
    public void A_file_that_is_gone_is_made_again()
    {
        using var file = Claim("r.json");
        Save(file, "one");
        File.Delete(At("r.json"));
        Save(file, "two");
        Assert.Equal("two", Read("r.json"));
        Assert.Null(file.TakeNotice());
    }

    [Fact]
    public async Task A_file_that_takes_the_name_at_any_moment_of_a_save_is_not_lost()
    {
        for (var round = 0; round < 50; round++)
        {
            using var file = Claim("r.json", mayExist: true);
            Save(file, "own");
            Write("foreign", $"foreign {round}");
            using var begun = new ManualResetEventSlim();
            var wait = round * 40;
            var other = Task.Run(() =>
            {
                begun.Wait();
                Thread.SpinWait(wait);
                File.Move(At("foreign"), At("r.json"), overwrite: true);
            });
            begun.Set();
            for (var i = 0; i < 4; i++)
                Save(file, $"own {i}");
            await other;
            Save(file, "own at last");
            var kept = Directory.GetFiles(_folder).ToDictionary(path => path, File.ReadAllText);
            Assert.Contains($"foreign {round}", kept.Values);
            Assert.Equal("own at last", kept[file.Path]);
            Assert.DoesNotContain(kept.Keys, path => path.EndsWith(".tmp", StringComparison.Ordinal));
            foreach (var path in kept.Keys)
                File.Delete(path);
        }
    }

    [LinuxFact]
    public void What_a_killed_run_left_is_cleared_and_nothing_else()
    {
        var ours = Path.GetFileName(LeftoverName.Writing(At("r.json")));
        Write(ours, "half");
        string[] others =
        [
            "r.json.tmp",
            ".r.json.iobench-1.tmp",
            ".other.json.iobench-0123456789abcdef.tmp",
            ".r.json.iobench-0123456789abcdef-1-2.tmp",
            ".r.json.iobench-0123456789abcdeg.tmp",
        ];
        foreach (var name in others)
            Write(name, "somebody's");
        var precious = At("precious");
        File.WriteAllText(precious, "precious");
        File.CreateSymbolicLink(LeftoverName.Writing(At("r.json")), precious);
        Links.Hard(precious, LeftoverName.Writing(At("r.json")));
        Links.Pipe(LeftoverName.Writing(At("r.json")));
        var before = Names();
        Claim("r.json").Dispose();
        Assert.Equal([.. before.Except([ours])], Names());
        Assert.Equal("precious", File.ReadAllText(precious));
    }

    [LinuxFact]
    public void What_another_run_writes_at_this_moment_is_no_leftover()
    {
        using var system = OutputSystem.Current.Begin(At("r.json"));
        var name = LeftoverName.Writing(At("r.json"));
        using var handle = LinuxOutputCalls.Create(name, out _)!;
        Assert.True(PlatformFiles.Current.TryLock(handle));
        Claim("r.json").Dispose();
        Assert.True(File.Exists(name));
    }

    [LinuxFact]
    public void A_name_that_a_temporary_file_might_have_leads_nowhere()
    {
        Write("db.mdf", "precious");
        File.CreateSymbolicLink(At("r.json.tmp"), At("db.mdf"));
        using var file = Claim("r.json");
        Save(file, "one");
        Assert.Equal("precious", Read("db.mdf"));
        Assert.Equal("one", Read("r.json"));
    }

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void The_rights_of_a_file_that_is_replaced_stay()
    {
        Write("r.json", "old");
        File.SetUnixFileMode(At("r.json"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        using var file = Claim("r.json", mayExist: true);
        Save(file, "new");
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(At("r.json")));
    }

    [LinuxFact]
    public void A_second_name_of_the_file_keeps_the_old_content()
    {
        Write("r.json", "old");
        Links.Hard(At("r.json"), At("second"));
        using var file = Claim("r.json", mayExist: true);
        Save(file, "new");
        Assert.Equal("old", Read("second"));
    }

    [Fact]
    public void A_name_as_long_as_the_file_system_takes_works()
    {
        var name = new string('n', 250) + ".json";
        using var file = Claim(name);
        Save(file, "one");
        Save(file, "two");
        Assert.Equal("two", Read(name));
    }

    [FuseFact]
    public void Where_files_need_a_name_from_the_start_nothing_stays_either()
    {
        using var disk = new FaultyDisk();
        using (var file = OutputFile.Claim(new OutputRequest(disk.Path("r.json"))))
        {
            Save(file, "one");
            Save(file, "two");
            disk.Rules("full-after 0");
            Assert.Equal("IoBench.OutputFailed", Assert.Throws<IoBenchException>(() => Save(file, new string('x', 1 << 20))).ErrorId);
            disk.Rules();
            Assert.Equal("two", File.ReadAllText(disk.Path("r.json")));
            Save(file, "three");
        }
        Assert.Equal("three", File.ReadAllText(disk.Path("r.json")));
        Assert.DoesNotContain(Directory.GetFiles(disk.Mount), name => name.EndsWith(".tmp", StringComparison.Ordinal));
    }

    private string At(string name) => Path.Combine(_folder, name);

    private void Write(string name, string text) => File.WriteAllText(At(name), text);

    private string Read(string name) => File.ReadAllText(At(name));

    private OutputFile Claim(string name, bool mayExist = false) => OutputFile.Claim(new OutputRequest(At(name)) { MayExist = mayExist });

    private (string Id, int ExitCode) Refused(string name, bool mayExist = false)
    {
        var error = Assert.Throws<IoBenchException>(() => Claim(name, mayExist));
        return (error.ErrorId, error.ExitCode);
    }

    private string[] Names() => [.. Directory.GetFiles(_folder).Select(Path.GetFileName).Order(StringComparer.Ordinal)!];

    private static void Save(OutputFile file, string text) => file.Save(stream => stream.Write(Encoding.UTF8.GetBytes(text)));

    [LinuxFact]
    public void A_folder_that_is_gone_is_called_so()
    {
        var folder = Path.Combine(_folder, "gone");
        Directory.CreateDirectory(folder);
        using var output = Claim(Path.Combine("gone", "m.xlsx"));
        Directory.Delete(folder, recursive: true);
        var error = Assert.Throws<IoBenchException>(() => Save(output, "one"));
        Assert.EndsWith(
            $"cannot be written: its folder {folder} is gone. IoBench Import Last has the results of the last run, where a journal of it was kept.",
            error.Message,
            StringComparison.Ordinal
        );
    }
}
