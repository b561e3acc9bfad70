BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $build = Join-Path $repository 'build.ps1'
    $configuration = (Split-Path -Leaf (Split-Path ([IoBench.Engine.IoSize].Assembly.Location)))
    $package = Join-Path $TestDrive 'package'

    function Invoke-Build {
        # In a process of its own, as a builder does; the error stream beside the rest.
        param([string] $Line)

        $text = pwsh -NoProfile -NonInteractive -Command "`$PSStyle.OutputRendering = 'PlainText'; try { $Line } catch { `$_.Exception.Message; exit 1 }" 2>&1
        @{ ExitCode = $LASTEXITCODE; Text = $text -join "`n" }
    }
}

Describe 'build.ps1 -Task Package' {
    It 'makes the module''s folder and zip with hashes, and installs it to see that it works' {
        $run = Invoke-Build "& '$build' -Task Package -Part Module -NoBuild -Configuration $configuration -OutputPath '$package'"
        $run.Text | Should -Match 'zip: unpacked and imported, help found'
        $run.ExitCode | Should -Be 0
        $sums = Get-Content (Join-Path $package 'SHA256SUMS')
        $sums | Should -Match '^[0-9a-f]{64}  IoBench-0\.1\.0\.zip$'
        (Get-FileHash (Join-Path $package 'IoBench-0.1.0.zip')).Hash | Should -Be $sums.Split(' ')[0]
    }

    It 'packs what the module needs and nothing of the project beside it' {
        $module = Join-Path $package 'IoBench' '0.1.0'
        Test-ModuleManifest (Join-Path $module 'IoBench.psd1') | Should -Not -BeNullOrEmpty
        (Get-ChildItem $module).Name | Sort-Object | Should -Be ('en-US', 'IoBench.Format.ps1xml', 'IoBench.Functions.ps1', 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Types.ps1xml', 'lib', 'LICENSE', 'Private' | Sort-Object)
        (Get-ChildItem (Join-Path $module 'lib')).Name | Should -Be 'IoBench.Analysis.dll', 'IoBench.Engine.dll', 'IoBench.Formats.dll', 'IoBench.Loader.dll', 'IoBench.Reports.dll'
    }

    It 'can be imported from where a machine without internet unpacks it, by its name' {
        $name = pwsh -NoProfile -NonInteractive -Command "`$env:PSModulePath = '$package'; (Get-Command Invoke-IoTest).Module.ModuleBase; (Get-Help Invoke-IoTest -Examples | Out-String).Length -gt 500"
        $name[0] | Should -Be (Join-Path $package 'IoBench' '0.1.0')
        $name[1] | Should -Be 'True'
    }

    It 'has all functions, and takes them along to other hosts' {
        $script = 'Import-Module IoBench; & (Get-Module IoBench) { (New-IoModuleArchive).Key; (Get-IoModuleFile).Keys | Sort-Object }'
        $names = pwsh -NoProfile -NonInteractive -Command "`$env:PSModulePath = '$package'; $script"
        $names[0] | Should -Match '^0\.1\.0-[0-9a-f]{16}$'
        $names | Should -Contain 'IoBench.Functions.ps1'
        $names | Should -Contain 'Private/TypeData.psd1'
        $names | Should -Contain 'lib/IoBench.Loader.dll'
    }

    It 'says what is missing' {
        $nothing = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'nothing')).FullName
        foreach ($pair in @{ 'Test -Coverage' = 'Pester'; 'Analyze' = 'PSScriptAnalyzer'; 'Help' = 'Microsoft.PowerShell.PlatyPS' }.GetEnumerator()) {
            $run = Invoke-Build "`$env:PSModulePath = `"`$PSHOME/Modules`"; & '$build' -Task $($pair.Key)"
            $run.Text | Should -BeLike "*The task $($pair.Key.Split(' ')[0]) needs the module $($pair.Value). Install it: Install-PSResource $($pair.Value)*"
            $run.ExitCode | Should -Be 1
        }
        (Invoke-Build "`$env:PATH = '$nothing'; & '$build' -Task Build").Text | Should -BeLike '*dotnet is not on the PATH. Install the .NET SDK 10*'
        (Invoke-Build "& '$build' -Task Package -Part Module -NoBuild -Configuration Debug -OutputPath '$nothing/p'").Text | Should -Match 'zip: unpacked|Run ./build.ps1 -Task Build first'
    }
}
