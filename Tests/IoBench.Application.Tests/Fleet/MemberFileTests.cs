namespace IoBench.Application.Tests;

public class MemberFileTests
{
    [LinuxFact]
    public void File_that_does_not_exist_yet_is_found_by_another_folder_name()
    {
        using var folder = new TemporaryFleetFolder();
        var data = Directory.CreateDirectory(folder.GetPath("data")).FullName;
        Directory.CreateSymbolicLink(folder.GetPath("link"), data);
        Directory.CreateDirectory(folder.GetPath("other"));
        var first = MemberFile.FromPath(Path.Combine(data, "t.dat"));
        Assert.True(first.IsSameFile(MemberFile.FromPath(folder.GetPath("link/t.dat"))));
        Assert.False(first.IsSameFile(MemberFile.FromPath(Path.Combine(data, "u.dat"))));
        Assert.False(first.IsSameFile(MemberFile.FromPath(folder.GetPath("other/t.dat"))));
        // One member creates the file before the other looks.
        File.WriteAllText(Path.Combine(data, "t.dat"), "x");
        Assert.True(first.IsSameFile(MemberFile.FromPath(folder.GetPath("link/t.dat"))));
    }

    [LinuxFact]
    public void Hard_link_is_the_same_file()
    {
        using var folder = new TemporaryFleetFolder();
        FileLinks.CreateHardLink(folder.WriteFile("t.dat", "x"), folder.GetPath("u.dat"));
        Assert.True(MemberFile.FromPath(folder.GetPath("t.dat")).IsSameFile(MemberFile.FromPath(folder.GetPath("u.dat"))));
        Assert.False(MemberFile.FromPath(folder.GetPath("t.dat")).IsSameFile(MemberFile.FromPath(folder.WriteFile("v.dat", "x"))));
    }
}
