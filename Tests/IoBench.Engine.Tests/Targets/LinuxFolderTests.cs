namespace IoBench.Engine.Tests;

public sealed class LinuxFolderTests : TargetTestBase
{
    private string Shared => GetPath("shared");

    [Theory]
    [InlineData(0x3FF, 5, 7, true)] // 1777
    [InlineData(0x1FF, 5, 7, true)] // 0777
    [InlineData(0x3F8, 5, 7, true)] // 1770
    [InlineData(0x1F8, 5, 7, false)] // 0770
    [InlineData(0x1ED, 5, 7, false)] // 0755
    [InlineData(0x3FF, 7, 7, false)]
    public void Rule_of_links_considers_mode_and_owners(int mode, uint folderOwner, uint linkOwner, bool isRefused)
    {
        var folder = new LinuxCalls.Statx { Mode = (ushort)mode, UserId = folderOwner };
        var link = new LinuxCalls.Statx { UserId = linkOwner };
        Assert.Equal(isRefused, LinuxFolder.IsPlacedByOther(folder, link));
    }

    [LinuxFact]
    public void Own_link_in_a_sticky_folder_is_followed()
    {
        var folder = new LinuxCalls.Statx { Mode = 0x3FF, UserId = 4_000_000_000 };
        var link = new LinuxCalls.Statx { UserId = LinuxCalls.GetEffectiveUserId() };
        Assert.False(LinuxFolder.IsPlacedByOther(folder, link));
    }

    [LinuxFact]
    public void Open_leads_to_the_same_folder_as_the_kernel()
    {
        Directory.CreateDirectory(GetPath("a/b"));
        Directory.CreateDirectory(GetPath("a/c"));
        File.CreateSymbolicLink(GetPath("absolute"), GetPath("a/b"));
        File.CreateSymbolicLink(GetPath("a/relative"), "./b/../c/");
        File.CreateSymbolicLink(GetPath("chain"), "absolute/../relative");
        foreach (var (path, folder) in new[] { ("absolute/..", "a"), ("a//relative/", "a/c"), ("chain", "a/c"), ("a/./b", "a/b") })
        {
            using var opened = LinuxFolder.Open(GetPath(path));
            var expected = PlatformFiles.Current.TryGetStatus(GetPath(folder))!.Value;
            Assert.True(PlatformFiles.Current.GetStatus(opened, path).IsSame(expected), path);
        }
        using var root = LinuxFolder.Open("/proc/self/root" + GetPath("chain"));
        Assert.True(PlatformFiles.Current.GetStatus(root, "").IsSame(PlatformFiles.Current.TryGetStatus(GetPath("a/c"))!.Value));
    }

    [LinuxFact]
    public void Open_refuses_a_circle_of_links_and_a_file()
    {
        File.CreateSymbolicLink(GetPath("first"), "second");
        File.CreateSymbolicLink(GetPath("second"), "first");
        File.WriteAllText(GetPath("file"), "");
        Assert.Equal("IoBench.BadLink", GetErrorId(() => LinuxFolder.Open(GetPath("first/x"))));
        Assert.Equal("IoBench.DirectoryNotFound", GetErrorId(() => LinuxFolder.Open(GetPath("file"))));
        Assert.Equal("IoBench.FileNotFound", GetErrorId(() => LinuxFolder.Open(GetPath("nothing/x"))));
    }

    [RequiresRootFact]
    public void Test_file_behind_a_link_of_another_user_is_refused()
    {
        OtherUser.CreateStickyFolder(Shared);
        PrepareFile(GetPath("t.dat"));
        var before = File.ReadAllBytes(GetPath("t.dat"));
        OtherUser.CreateLink(Path.Combine(Shared, "file.dat"), GetPath("t.dat"));
        OtherUser.CreateLink(Path.Combine(Shared, "folder"), Folder);
        foreach (var path in new[] { Path.Combine(Shared, "file.dat"), Path.Combine(Shared, "folder", "t.dat") })
        {
            Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PrepareFile(path, writePercent: 100, allowAll: true)));
            Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PrepareFile(path)));
            Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => TestFiles.Remove(path)));
            Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => TestFiles.ReadEvidence(path)));
        }
        Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PrepareFile(Path.Combine(Shared, "folder"))));
        Assert.Equal(before, File.ReadAllBytes(GetPath("t.dat")));
        Assert.Equal([Shared, GetPath("t.dat")], Directory.GetFileSystemEntries(Folder).Order(StringComparer.Ordinal));
    }

    [RequiresRootFact]
    public void Test_file_behind_a_link_of_the_folder_owner_is_used()
    {
        OtherUser.CreateStickyFolder(Shared);
        File.CreateSymbolicLink(Path.Combine(Shared, "own"), Folder);
        PrepareFile(Path.Combine(Shared, "own", "t.dat"));
        OtherUser.TakeOwnership(Shared);
        OtherUser.CreateLink(Path.Combine(Shared, "theirs"), Folder);
        TestFiles.Remove(Path.Combine(Shared, "theirs", "t.dat"));
        Assert.False(File.Exists(GetPath("t.dat")));
    }

    [RequiresRootFact]
    public void Folder_replaced_by_a_link_after_the_check_is_refused()
    {
        OtherUser.CreateStickyFolder(Shared);
        Directory.CreateDirectory(GetPath("secret"));
        PrepareFile(GetPath("secret/t.dat"));
        var folder = Path.Combine(Shared, "d");
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, "t.dat");
        var found = TargetPath.Resolve(path);
        Directory.Move(folder, folder + "2");
        OtherUser.CreateLink(folder, GetPath("secret"));
        var status = PlatformFiles.Current.TryGetStatus(GetPath("secret/t.dat"))!.Value;
        Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PlatformFiles.Current.OpenToWrite(found.Path)));
        Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PlatformFiles.Current.OpenToRead(found.Path)));
        Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PlatformFiles.Current.CreateWithMarker(found.Path, _ => "")));
        Assert.Equal(ErrorIds.UntrustedLink, GetErrorId(() => PlatformFiles.Current.DeleteIfSame(found.Path, status)));
        Assert.True(File.Exists(GetPath("secret/t.dat")));
    }

    private static string GetErrorId(Func<object?> action) => Assert.Throws<IoBenchException>(() => action()).ErrorId;

    private static string GetErrorId(Action action) => Assert.Throws<IoBenchException>(action).ErrorId;
}
