using System.Text;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class OutputFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-output-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Output_file_cannot_be_reserved_twice()
    {
        using (var first = ReserveFile("r.json"))
        {
            SaveText(first, "[]");
            foreach (var _ in Enumerable.Range(0, 5))
                Assert.Equal(("IoBench.OutputInUse", 2), GetReserveError("r.json", mayExist: true));
            SaveText(first, "[ ]");
            Assert.Equal(("IoBench.OutputInUse", 2), GetReserveError("r.json", mayExist: true));
        }
        Assert.Equal("[ ]", ReadFile("r.json"));
        using var next = ReserveFile("r.json", mayExist: true);
        SaveText(next, "three");
        Assert.Equal("three", ReadFile("r.json"));
        Assert.Equal(["r.json"], GetFileNames());
    }

    [Fact]
    public void Reserved_file_without_a_save_leaves_nothing()
    {
        ReserveFile("r.json").Dispose();
        Assert.Empty(GetFileNames());
        WriteFile("old.json", "[]");
        ReserveFile("old.json", mayExist: true).Dispose();
        Assert.Equal("[]", ReadFile("old.json"));
    }

    [Fact]
    public void File_is_replaced_only_if_permitted_or_empty()
    {
        WriteFile("r.json", "[]");
        Assert.Equal(("IoBench.FileExists", 2), GetReserveError("r.json"));
        Assert.Equal("[]", ReadFile("r.json"));
        WriteFile("empty.json", "");
        using var file = ReserveFile("empty.json");
        SaveText(file, "new");
        Assert.Equal("new", ReadFile("empty.json"));
    }

    [Fact]
    public void New_file_with_the_same_name_stays_and_results_get_a_free_name()
    {
        using var file = ReserveFile("r.json");
        SaveText(file, "one");
        File.Delete(GetPath("r.json"));
        WriteFile("r.json", "somebody's");
        WriteFile("r-2.json", "also somebody's");
        SaveText(file, "two");
        Assert.Equal("somebody's", ReadFile("r.json"));
        Assert.Equal("also somebody's", ReadFile("r-2.json"));
        Assert.Equal("two", ReadFile("r-3.json"));
        Assert.Contains(GetPath("r-3.json"), file.TakeNotice());
        Assert.Null(file.TakeNotice());
        // The new name is locked like the old one, and the old one is unlocked.
        SaveText(file, "[]");
        Assert.Equal("[]", ReadFile("r-3.json"));
        Assert.Equal("IoBench.OutputInUse", GetReserveError("r-3.json", mayExist: true).Id);
        Assert.Equal(["r-2.json", "r-3.json", "r.json"], GetFileNames());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void File_modified_by_others_stays_and_results_get_a_free_name(bool append)
    {
        using (var file = ReserveFile("r.json"))
        {
            SaveText(file, "one");
            if (append)
                File.AppendAllText(GetPath("r.json"), " and more");
            else
                WriteFile("r.json", "somebody's");
            SaveText(file, "two");
            SaveText(file, "three");
        }
        Assert.Equal(append ? "one and more" : "somebody's", ReadFile("r.json"));
        Assert.Equal("three", ReadFile("r-2.json"));
        Assert.Equal(["r-2.json", "r.json"], GetFileNames());
    }

    [Fact]
    public void Data_written_by_others_into_a_reserved_file_stays()
    {
        using (ReserveFile("r.json"))
            WriteFile("r.json", "somebody's");
        Assert.Equal("somebody's", ReadFile("r.json"));
        using (var file = ReserveFile("new.json"))
        {
            WriteFile("new.json", "somebody's");
            SaveText(file, "one");
        }
        Assert.Equal("somebody's", ReadFile("new.json"));
        Assert.Equal("one", ReadFile("new-2.json"));
    }

    [Fact]
    public void Deleted_output_file_is_re_created()
    {
        using var file = ReserveFile("r.json");
        SaveText(file, "one");
        File.Delete(GetPath("r.json"));
        SaveText(file, "two");
        Assert.Equal("two", ReadFile("r.json"));
        Assert.Null(file.TakeNotice());
    }

    [Fact]
    public async Task File_moved_to_the_name_during_a_save_is_not_lost()
    {
        for (var round = 0; round < 50; round++)
        {
            using var file = ReserveFile("r.json", mayExist: true);
            SaveText(file, "own");
            WriteFile("foreign", $"foreign {round}");
            using var begun = new ManualResetEventSlim();
            var wait = round * 40;
            var other = Task.Run(() =>
            {
                begun.Wait();
                Thread.SpinWait(wait);
                File.Move(GetPath("foreign"), GetPath("r.json"), overwrite: true);
            });
            begun.Set();
            for (var i = 0; i < 4; i++)
                SaveText(file, $"own {i}");
            await other;
            SaveText(file, "own at last");
            var kept = Directory.GetFiles(_folder).ToDictionary(path => path, File.ReadAllText);
            Assert.Contains($"foreign {round}", kept.Values);
            Assert.Equal("own at last", kept[file.Path]);
            Assert.DoesNotContain(kept.Keys, path => path.EndsWith(".tmp", StringComparison.Ordinal));
            foreach (var path in kept.Keys)
                File.Delete(path);
        }
    }

    [LinuxFact]
    public void Only_leftovers_of_a_killed_run_are_removed()
    {
        using var folder = OutputFolder.Open(_folder);
        var output = folder.GetName("r.json");
        var ours = output.CreateTemporary().Name;
        WriteFile(ours, "half");
        string[] others =
        [
            "r.json.tmp",
            ".r.json.iobench-1.tmp",
            ".other.json.iobench-0123456789abcdef.tmp",
            ".r.json.iobench-0123456789abcdef-1-2.tmp",
            ".r.json.iobench-0123456789abcdeg.tmp",
        ];
        foreach (var name in others)
            WriteFile(name, "somebody's");
        var precious = GetPath("precious");
        File.WriteAllText(precious, "precious");
        File.CreateSymbolicLink(output.CreateTemporary().Path, precious);
        FileLinks.CreateHardLink(precious, output.CreateTemporary().Path);
        FileLinks.CreatePipe(output.CreateTemporary().Path);
        var before = GetFileNames();
        ReserveFile("r.json").Dispose();
        Assert.Equal([.. before.Except([ours])], GetFileNames());
        Assert.Equal("precious", File.ReadAllText(precious));
    }

    [LinuxFact]
    public void Temporary_file_of_an_active_run_is_not_removed()
    {
        using var folder = OutputFolder.Open(_folder);
        using var system = PlatformOutputFiles.Current.CreateTemporary(folder.GetName("r.json"));
        var name = folder.GetName("r.json").CreateTemporary();
        using var handle = LinuxOutputFiles.CreateFile(name, out _)!;
        Assert.True(PlatformFiles.Current.TryLockForWriting(handle));
        ReserveFile("r.json").Dispose();
        Assert.True(File.Exists(name.Path));
    }

    [LinuxFact]
    public void Link_with_a_temporary_name_is_not_followed()
    {
        WriteFile("db.mdf", "precious");
        File.CreateSymbolicLink(GetPath("r.json.tmp"), GetPath("db.mdf"));
        using var file = ReserveFile("r.json");
        SaveText(file, "one");
        Assert.Equal("precious", ReadFile("db.mdf"));
        Assert.Equal("one", ReadFile("r.json"));
    }

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void Replaced_file_keeps_its_permissions()
    {
        WriteFile("r.json", "[]");
        File.SetUnixFileMode(GetPath("r.json"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        using var file = ReserveFile("r.json", mayExist: true);
        SaveText(file, "new");
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(GetPath("r.json")));
    }

    [RequiresRootFact]
    public void Replaced_file_keeps_its_owner_and_attributes()
    {
        WriteFile("r.json", "[]");
        OtherUser.TakeOwnership(GetPath("r.json"));
        FileLinks.SetAttribute(GetPath("r.json"), "user.comment", "of the user");
        FileLinks.SetAttribute(GetPath("r.json"), "user.iobench", "of the file");
        using var file = ReserveFile("r.json", mayExist: true);
        SaveText(file, "new");
        SaveText(file, "newer");
        Assert.Equal("newer", ReadFile("r.json"));
        Assert.Equal($"{OtherUser.Id}:{OtherUser.Id}", OtherUser.ReadOwner(GetPath("r.json")));
        Assert.Equal("of the user", FileLinks.ReadAttribute(GetPath("r.json"), "user.comment"));
        Assert.Null(FileLinks.ReadAttribute(GetPath("r.json"), "user.iobench"));
    }

    [RequiresRootFact]
    public void Output_that_another_user_placed_is_refused()
    {
        var shared = OtherUser.CreateStickyFolder(GetPath("shared"));
        WriteFile("config", "precious");
        OtherUser.CreateLink(GetPath("shared/link.json"), GetPath("config"));
        OtherUser.CreateLink(GetPath("shared/folder"), _folder);
        WriteFile("shared/file.json", "");
        OtherUser.TakeOwnership(GetPath("shared/file.json"));
        Assert.Equal((ErrorIds.UntrustedLink, 2), GetReserveError("shared/link.json", mayExist: true));
        Assert.Equal((ErrorIds.UntrustedLink, 2), GetReserveError("shared/folder/config", mayExist: true));
        Assert.Equal((ErrorIds.UntrustedLink, 2), GetReserveError("shared/folder/new.json"));
        Assert.Equal((ErrorIds.UntrustedFile, 2), GetReserveError("shared/file.json", mayExist: true));
        Assert.Equal("precious", ReadFile("config"));
        Assert.Equal(3, Directory.GetFileSystemEntries(shared).Length);
    }

    [LinuxFact]
    public void Output_stays_in_its_folder_when_another_one_takes_the_name()
    {
        Directory.CreateDirectory(GetPath("d"));
        Directory.CreateDirectory(GetPath("secret"));
        WriteFile("secret/r.json", "precious");
        using (var file = ReserveFile("d/r.json"))
        {
            SaveText(file, "one");
            Assert.Null(file.TakeNotice());
            Directory.Move(GetPath("d"), GetPath("d2"));
            File.CreateSymbolicLink(GetPath("d"), GetPath("secret"));
            SaveText(file, "two");
            Assert.Equal(GetPath("d2/r.json"), file.Path);
            Assert.Contains($"The output is in {GetPath("d2/r.json")}.", file.TakeNotice());
            SaveText(file, "three");
            Assert.Null(file.TakeNotice());
        }
        Assert.Equal("three", ReadFile("d2/r.json"));
        Assert.Equal("precious", ReadFile("secret/r.json"));
        Assert.Single(Directory.GetFiles(GetPath("d2")));
        Assert.Single(Directory.GetFiles(GetPath("secret")));
    }

    [LinuxFact]
    public void Error_names_the_folder_that_was_replaced_by_a_link()
    {
        Directory.CreateDirectory(GetPath("d"));
        using var file = ReserveFile("d/r.json");
        Directory.Delete(GetPath("d"), recursive: true);
        Directory.CreateDirectory(GetPath("secret"));
        File.CreateSymbolicLink(GetPath("d"), GetPath("secret"));
        var error = Assert.Throws<IoBenchException>(() => SaveText(file, "one"));
        Assert.Contains($"its folder {GetPath("d")} no longer exists", error.Message);
        Assert.Empty(Directory.GetFiles(GetPath("secret")));
    }

    [LinuxFact]
    public void Hard_link_of_a_replaced_file_keeps_the_old_content()
    {
        WriteFile("r.json", "[]");
        FileLinks.CreateHardLink(GetPath("r.json"), GetPath("second"));
        using var file = ReserveFile("r.json", mayExist: true);
        SaveText(file, "new");
        Assert.Equal("[]", ReadFile("second"));
    }

    [Fact]
    public void Output_file_name_can_have_the_maximum_length()
    {
        var name = new string('n', 250) + ".json";
        using var file = ReserveFile(name);
        SaveText(file, "one");
        SaveText(file, "two");
        Assert.Equal("two", ReadFile(name));
    }

    [FuseFact]
    public void File_system_without_unnamed_files_keeps_no_leftovers()
    {
        using var disk = new FaultyDisk();
        using (var file = OutputFile.Reserve(disk.GetPath("r.json")))
        {
            SaveText(file, "one");
            SaveText(file, "two");
            disk.SetRules("full-after 0");
            Assert.Equal("IoBench.OutputFailed", Assert.Throws<IoBenchException>(() => SaveText(file, new string('x', 1 << 20))).ErrorId);
            disk.SetRules();
            Assert.Equal("two", File.ReadAllText(disk.GetPath("r.json")));
            SaveText(file, "three");
        }
        Assert.Equal("three", File.ReadAllText(disk.GetPath("r.json")));
        Assert.DoesNotContain(Directory.GetFiles(disk.MountFolder), name => name.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [FuseFact]
    public void Failed_second_rename_of_a_file_system_loses_nothing()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("r.json");
        File.WriteAllText(path, "[]");
        using var file = OutputFile.Reserve(path, mayExist: true);
        // The exchange name, the replaced file, the new file: the third rename fails, and its repetition does not.
        disk.SetRules("rename-error-at 3");
        SaveText(file, "new");
        disk.SetRules();
        Assert.Equal("new", File.ReadAllText(path));
    }

    [FuseFact]
    public void Message_names_both_files_when_a_replacement_stays_incomplete()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("r.json");
        File.WriteAllText(path, "[]");
        using (var file = OutputFile.Reserve(path, mayExist: true))
        {
            disk.SetRules("rename-error-from 3");
            var error = Assert.Throws<IoBenchException>(() => SaveText(file, "new"));
            disk.SetRules();
            var left = Assert.Single(Directory.GetFiles(disk.MountFolder, ".r.json.iobench-*"));
            Assert.Contains($"The new content is in {left}, and the previous content is in {path}.previous.", error.Message);
            Assert.Equal(("new", "[]"), (File.ReadAllText(left), File.ReadAllText(path + ".previous")));
        }
        // The next run does not clear the only content.
        OutputFile.Reserve(path).Dispose();
        Assert.Single(Directory.GetFiles(disk.MountFolder, ".r.json.iobench-*"));
    }

    private string GetPath(string name) => Path.Combine(_folder, name);

    private void WriteFile(string name, string text) => File.WriteAllText(GetPath(name), text);

    private string ReadFile(string name) => File.ReadAllText(GetPath(name));

    private OutputFile ReserveFile(string name, bool mayExist = false) => OutputFile.Reserve(GetPath(name), mayExist: mayExist);

    private (string Id, int ExitCode) GetReserveError(string name, bool mayExist = false)
    {
        var error = Assert.Throws<IoBenchException>(() => ReserveFile(name, mayExist));
        return (error.ErrorId, error.ExitCode);
    }

    private string[] GetFileNames() => [.. Directory.GetFiles(_folder).Select(Path.GetFileName).Order(StringComparer.Ordinal)!];

    private static void SaveText(OutputFile file, string text) => file.Save(stream => stream.Write(Encoding.UTF8.GetBytes(text)));

    [LinuxFact]
    public void Error_names_the_deleted_folder()
    {
        var folder = Path.Combine(_folder, "gone");
        Directory.CreateDirectory(folder);
        using var output = ReserveFile(Path.Combine("gone", "m.xlsx"));
        Directory.Delete(folder, recursive: true);
        var error = Assert.Throws<IoBenchException>(() => SaveText(output, "one"));
        Assert.EndsWith(
            $"cannot be written, because its folder {folder} no longer exists. IoBench Import Last shows the results of the last run if its journal still exists.",
            error.Message,
            StringComparison.Ordinal
        );
    }
}
