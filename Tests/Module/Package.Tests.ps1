BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $build = Join-Path $repository 'build.ps1'
    $package = Join-Path $TestDrive 'package'
    # Only PlatyPS makes the help. Without it, the tests pack a module that has no help.
    $hasHelp = Test-Path (Join-Path $repository 'en-US' 'IoBench-Help.xml')
    $helpSwitch = $hasHelp ? '' : '-WithoutHelp'
    $noHelp = 'needs en-US/IoBench-Help.xml, which build.ps1 makes with Microsoft.PowerShell.PlatyPS'

    function Invoke-Build {
        # In a process of its own, as a builder does; the error stream beside the rest.
        param([string] $Line)

        $text = pwsh -NoProfile -NonInteractive -Command "`$PSStyle.OutputRendering = 'PlainText'; try { $Line } catch { `$_.Exception.Message; exit 1 }" 2>&1
        @{ ExitCode = $LASTEXITCODE; Text = $text -join "`n" }
    }

    function Invoke-Packed {
        # A script in a pwsh that has just imported the package.
        param([string] $Script, [string] $Module = (Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1'))

        pwsh -NoProfile -NonInteractive -Command "`$PSStyle.OutputRendering = 'PlainText'; Import-Module '$Module' -ErrorAction Stop; $Script" 2>&1
    }
}

Describe 'build.ps1 -Task Package' {
    It 'makes the module''s folder and zip with hashes, and installs it to see that it works' {
        $run = Invoke-Build "& '$build' -Task Package -Part Module -NoBuild $helpSwitch -OutputPath '$package'"
        $run.Text | Should -Match "zip: unpacked and imported, $($hasHelp ? 'help found' : 'without help')"
        $run.ExitCode | Should -Be 0
        $sums = Get-Content (Join-Path $package 'SHA256SUMS')
        $sums | Should -Match '^[0-9a-f]{64}  IoBench-0\.1\.0\.zip$'
        (Get-FileHash (Join-Path $package 'IoBench-0.1.0.zip')).Hash | Should -Be $sums.Split(' ')[0]
    }

    It 'packs what the module needs and nothing of the project beside it' {
        $module = Join-Path $package 'IoBench' '0.1.0'
        Test-ModuleManifest (Join-Path $module 'IoBench.psd1') | Should -Not -BeNullOrEmpty
        (Get-ChildItem $module).Name | Sort-Object | Should -Be ('en-US', 'IoBench.Format.ps1xml', 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Types.ps1xml', 'lib', 'LICENSE', 'Private' | Sort-Object)
        (Get-ChildItem (Join-Path $module 'Private') -Recurse).Name | Sort-Object | Should -Be 'IoBench.ImportAdvice.ps1', 'IoBench.PowerShell.psd1', 'IoBench.WindowsPowerShell.ps1'
        (Get-ChildItem (Join-Path $module 'lib')).Name | Should -Be 'IoBench.Analysis.dll', 'IoBench.Application.dll', 'IoBench.Engine.dll', 'IoBench.Formats.dll', 'IoBench.PowerShell.dll', 'IoBench.Reports.dll', 'IoBench.Workloads.dll'
    }

    It 'can be imported from where a machine without internet unpacks it, by its name' {
        $name = pwsh -NoProfile -NonInteractive -Command "`$env:PSModulePath = '$package'; (Get-Command Invoke-IoTest).Module.ModuleBase"
        $name | Should -Be (Join-Path $package 'IoBench' '0.1.0')
    }

    It 'packs the help of the cmdlets' {
        if (-not $hasHelp) { Set-ItResult -Skipped -Because $noHelp }
        Invoke-Packed '(Get-Help Invoke-IoTest -Examples | Out-String).Length -gt 500; (Get-Help Invoke-IoTest -Parameter BlockSize).name' | Should -Be 'True', 'BlockSize'
    }

    It 'packs no help of the cmdlets with -WithoutHelp' {
        $bare = Join-Path $TestDrive 'bare'
        $run = Invoke-Build "& '$build' -Task Package -Part Module -NoBuild -WithoutHelp -OutputPath '$bare'"
        $run.Text | Should -Match 'zip: unpacked and imported, without help'
        (Get-ChildItem (Join-Path $bare 'IoBench' '0.1.0' 'en-US')).Name | Sort-Object | Should -Be ('about_IoBench.help.txt', 'about_IoBench_Messages.help.txt' | Sort-Object)
    }

    It 'refuses a module without help' {
        # A copy of the checkout without the file: other tests may read the original at the same time.
        $copy = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'copy')).FullName
        foreach ($item in 'build.ps1', 'IoBench.psd1') { Copy-Item (Join-Path $repository $item) $copy }
        $run = Invoke-Build "& '$copy/build.ps1' -Task Package -Part Module -NoBuild"
        $run.Text | Should -BeLike '*The package would have no help: en-US/IoBench-Help.xml is missing.*add -WithoutHelp*'
        $run.ExitCode | Should -Be 1
    }

    It 'takes all of itself along to other hosts' {
        $script = 'Import-Module IoBench; $archive = [IoBench.PowerShell.ModuleArchive]::Create(); $archive.Key; [System.IO.Compression.ZipArchive]::new([System.IO.MemoryStream]::new($archive.Bytes)).Entries.FullName'
        $names = pwsh -NoProfile -NonInteractive -Command "`$env:PSModulePath = '$package'; $script"
        $names[0] | Should -Match '^0\.1\.0-[0-9a-f]{16}$'
        $module = Join-Path $package 'IoBench' '0.1.0'
        $needed = Get-ChildItem $module -Recurse -File -Include *.dll, *.ps* | ForEach-Object { [System.IO.Path]::GetRelativePath($module, $_.FullName).Replace('\', '/') }
        $names[1..99] | Sort-Object | Should -Be ($needed | Sort-Object)
    }

    It 'says what is missing' {
        $nothing = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'nothing')).FullName
        foreach ($pair in @{ 'Analyze' = 'PSScriptAnalyzer'; 'Help' = 'Microsoft.PowerShell.PlatyPS' }.GetEnumerator()) {
            $run = Invoke-Build "`$env:PSModulePath = `"`$PSHOME/Modules`"; & '$build' -Task $($pair.Key)"
            $run.Text | Should -BeLike "*The task $($pair.Key) needs the module $($pair.Value). Install it: Install-PSResource $($pair.Value)*"
            $run.ExitCode | Should -Be 1
        }
        (Invoke-Build "`$env:PATH = '$nothing'; & '$build' -Task Build").Text | Should -BeLike '*dotnet is not on the PATH. Install the .NET SDK 10*'
        (Invoke-Build "& '$build' -Task Package -Part Module -NoBuild $helpSwitch -Configuration Debug -OutputPath '$nothing/p'").Text | Should -Match 'zip: unpacked|Run ./build.ps1 -Task Build first'
    }

    Context 'The packed module' {
        It 'knows commands, parameters and completion' {
            $answer = Invoke-Packed @'
(Get-Command -Module IoBench).Count
(Get-Command Invoke-IoTest).Parameters.FileSize.ParameterType.FullName
(Get-Command Test-IoResult).OutputType.Name -join ' '
(TabExpansion2 'Invoke-IoTest -Workload log-c' 28).CompletionMatches[0].CompletionText
'@
            $answer | Should -Be '31', 'IoBench.Engine.IoSize[]', 'IoBench.Analysis.RuleVerdict IoBench.Analysis.FileVerdict IoBench.Analysis.VerdictSummary System.Boolean', 'log-commit'
        }

        It 'works first in a pipeline, errors as always: the caller''s line, and the next object goes on' {
            $answer = Invoke-Packed @'
'page-read', 'nonsense', 'log-commit' | Get-IoWorkload -ErrorAction SilentlyContinue -ErrorVariable problem | ForEach-Object Name
$problem[0].FullyQualifiedErrorId
$problem[0].InvocationInfo.Line -match "'nonsense', 'log-commit' \| Get-IoWorkload"
'@
            $answer | Should -Be 'page-read', 'log-commit', 'IoBench.UnknownWorkload,IoBench.PowerShell.GetIoWorkloadCommand', 'True'
        }

        It 'works first with -WhatIf, and then runs a test' {
            $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'first')).FullName
            $answer = Invoke-Packed @"
New-IoTestFile '$folder/a.dat' -FileSize 4MB -WhatIf
Test-Path '$folder/a.dat'
`$null = New-IoTestFile '$folder/a.dat' -FileSize 4MB
(Get-Item '$folder/a.dat').Length
`$result = Invoke-IoTest '$folder/a.dat' -Duration 0.2 -WarmUp 0 -ThreadCount 1 -OutstandingIO 1 3>`$null 6>`$null
`$result.Status
Remove-IoTestFile '$folder/a.dat' -Confirm:`$false
Test-Path '$folder/a.dat'
"@
            $answer[0] | Should -BeLike 'What if: *a.dat*'
            $answer[1..4] | Should -Be 'False', '4194304', 'Complete', 'False'
        }

        It 'works first in several runspaces at once, and in a thread job' {
            $module = Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1'
            $answer = Invoke-Packed @"
1..4 | ForEach-Object -ThrottleLimit 4 -Parallel { Import-Module '$module'; (Get-IoWorkload page-read).Name }
Start-ThreadJob { Import-Module '$module'; (Get-IoWorkload log-commit).Name } | Receive-Job -Wait -AutoRemoveJob
"@
            $answer | Should -Be (@('page-read') * 4 + 'log-commit')
        }

        It 'works again after it was removed, and imported by force' {
            $answer = Invoke-Packed @"
(Get-IoWorkload page-read).Name
Remove-Module IoBench
@(Get-Module IoBench, TypeData).Count
Import-Module '$(Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1')'
(Get-IoWorkload log-commit).Name
Import-Module '$(Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1')' -Force
(New-IoTestSpecification x.dat -BlockSize 8KB).Targets.Count
(Get-FormatData IoBench.Engine.IoTestResult).FormatViewDefinition.Count -gt 0
"@
            $answer | Should -Be 'page-read', '0', 'log-commit', '1', 'True'
        }

        It 'shows a result of another process at once, and takes it for one' {
            $file = Join-Path $TestDrive 'result.xml'
            New-TestResult | Export-Clixml -Path $file
            $answer = Invoke-Packed "`$result = Import-Clixml '$file'; `$result | Out-String -Width 120; `$result.GetType().FullName"
            "$answer" | Should -Match '20 GB  ext4 on vda.*page-read-qd1 .*12,172 +0\.082'
            @($answer)[-1] | Should -Be 'IoBench.Engine.IoTestResult'
        }

        It 'answers as the checkout does, command by command' {
            $script = Join-Path $PSScriptRoot 'Get-CommandAnswer.ps1'
            $checkout, $packed = foreach ($module in (Join-Path $repository 'IoBench.psd1'), (Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1')) {
                $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'answers')).FullName
                , @(pwsh -NoProfile -NonInteractive -File $script -Module $module -Samples $samples -Folder $folder 2>&1)
                Remove-Item -LiteralPath $folder -Recurse
            }
            $checkout.Count | Should -BeGreaterThan 100
            "$checkout" | Should -Match 'IoBench\.InvalidDistribution,IoBench\.PowerShell\.NewIoTestSpecificationCommand'
            "$checkout" | Should -Not -Match 'not recognized|IoBench\.Unexpected'
            $packed | Should -Be $checkout
        }

        It 'says what to do when another copy is imported, and takes its place when that is removed' {
            $copy = Join-Path $TestDrive 'second'
            Copy-Item -LiteralPath (Join-Path $package 'IoBench' '0.1.0') -Destination $copy -Recurse
            $answer = Invoke-Packed @"
try { Import-Module '$copy/IoBench.psd1' -ErrorAction Stop } catch { `$_.Exception.Message }
(Get-IoWorkload page-read).Name
Remove-Module IoBench
Import-Module '$copy/IoBench.psd1' -ErrorAction Stop
(Get-IoWorkload log-commit).Name
(Get-Module IoBench).ModuleBase
"@
            $answer[0] | Should -BeLike 'IoBench is already imported from *0.1.0*Run Remove-Module IoBench first*'
            $answer[1..3] | Should -Be 'page-read', 'log-commit', $copy
        }

        It 'says what to do when another version is loaded' {
            # The same assembly as another version: the number and the identity in its metadata are changed.
            $engine = Join-Path $package 'IoBench' '0.1.0' 'lib' 'IoBench.Engine.dll'
            $other = Join-Path $TestDrive 'IoBench.Engine.dll'
            $bytes = [System.IO.File]::ReadAllBytes($engine)
            $reader = [System.Reflection.PortableExecutable.PEReader]::new([System.IO.MemoryStream]::new($bytes))
            $metadata = [System.Reflection.Metadata.PEReaderExtensions]::GetMetadataReader($reader)
            $identity = [System.Convert]::ToHexString($metadata.GetGuid($metadata.GetModuleDefinition().Mvid).ToByteArray())
            $text = [System.Convert]::ToHexString($bytes)
            $text | Should -Match $identity
            $text = $text.Replace($identity, [System.Convert]::ToHexString([guid]::NewGuid().ToByteArray()))
            [System.IO.File]::WriteAllBytes($other, [System.Convert]::FromHexString($text.Replace('048000000000010000000000', '048000000000090000000000')))
            $load = "[System.Runtime.Loader.AssemblyLoadContext]::Default.LoadFromAssemblyPath('$other').GetName().Version.Minor"
            $problem = @(pwsh -NoProfile -NonInteractive -Command "$load; try { Import-Module '$(Join-Path $package 'IoBench' '0.1.0' 'IoBench.psd1')' -ErrorAction Stop; Get-IoWorkload page-read -ErrorAction Stop; 'used' } catch { `$_.Exception.Message }" 2>&1)
            $problem[0] | Should -Be 9
            # PowerShell itself refuses the second of one name, or takes the first for it, which the module then refuses.
            $problem[1] | Should -Match "The assemblies in .*lib cannot be loaded, because this process has already loaded another version of IoBench.* Start a new pwsh|Assembly with same name is already loaded"
        }
    }
}
