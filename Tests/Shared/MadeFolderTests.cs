namespace IoBench.Tests;

public abstract class MadeFolderTests : FolderTests
{
    protected MadeFolderTests() => Directory.CreateDirectory(Folder);
}
